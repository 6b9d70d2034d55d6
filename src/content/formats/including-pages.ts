import type { FilesRead, Table } from '../format-port/index.ts';
import type { Reference, RepoPath } from '../model/index.ts';

/** No file is looked for in more pages than this, however they take in each other. */
const MAX_TAKERS = 1_000;

/** Which pages take a file in by references whose carrier is `include`, at any depth. */
export class IncludingPages {
  readonly #includes: Table<null>;

  /** `resolve` tells the file that a reference takes in; only what `name` says may decide it besides its arguments. */
  constructor(
    files: FilesRead,
    name: string,
    resolve: (file: RepoPath, reference: Reference) => RepoPath | null,
  ) {
    this.#includes = files.table<null>(`${name} includes`, ({ path }) => {
      const parts = new Set<RepoPath>();
      for (const reference of /\.(?:md|mdx|markdown)$/i.test(path)
        ? (files.facts(path)?.references ?? [])
        : []) {
        if (reference.carrier !== 'include') continue;
        const part = resolve(path, reference);
        if (part !== null && part !== path && /\.(?:md|mdx|markdown)$/i.test(part)) parts.add(part);
      }
      return [...parts].map((part) => [part, null] as const);
    });
  }

  /** The first of the pages that take a file in, by what `orderOf` answers, which is null for what is no page; null when none does. */
  firstOf(file: RepoPath, orderOf: (path: RepoPath) => number | string | null): RepoPath | null {
    const seen = new Set([file]);
    let first: { readonly path: RepoPath; readonly order: number | string } | null = null;
    for (const part of seen) {
      for (const { file: taker } of this.#includes.rows(part)) {
        if (seen.has(taker) || seen.size > MAX_TAKERS) continue;
        seen.add(taker);
        const order = orderOf(taker);
        if (order !== null && (first === null || order < first.order)) first = { path: taker, order };
      }
    }
    return first?.path ?? null;
  }
}
