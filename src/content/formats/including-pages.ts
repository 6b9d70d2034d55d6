import type { FilesRead, Table } from '../format-port/index.ts';
import type { Reference, RepoPath } from '../model/index.ts';

/** At most this many including pages are visited for one file, however they include each other. */
const MAX_INCLUDING = 1_000;

/** Finds the pages that include a file, through references whose carrier is `include`, at any depth. */
export class IncludingPages {
  readonly #includes: Table<null>;

  /**
   * `resolve` returns the file that a reference includes; it may depend only on its arguments and on what `name`
   * identifies.
   */
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

  /**
   * The first page that includes a file, in the order of `orderOf`, which returns null for a file that is not a page;
   * null when no page includes it.
   */
  firstOf(file: RepoPath, orderOf: (path: RepoPath) => number | string | null): RepoPath | null {
    const seen = new Set([file]);
    let first: { readonly path: RepoPath; readonly order: number | string } | null = null;
    for (const part of seen) {
      for (const { file: including } of this.#includes.rows(part)) {
        if (seen.has(including) || seen.size > MAX_INCLUDING) continue;
        seen.add(including);
        const order = orderOf(including);
        if (order !== null && (first === null || order < first.order)) first = { path: including, order };
      }
    }
    return first?.path ?? null;
  }
}
