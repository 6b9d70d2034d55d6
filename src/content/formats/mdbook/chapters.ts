import type { FilesRead, Table } from '../../format-port/index.ts';
import { parseTarget } from '../../links/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';

/** The files that a table of contents lists, whether or not they exist. */
export class Chapters {
  readonly #files: FilesRead;
  readonly #summary: RepoPath;
  readonly #table: Table<RepoPath | null>;

  constructor(files: FilesRead, summary: RepoPath) {
    this.#files = files;
    this.#summary = summary;
    this.#table = files.table<RepoPath | null>('mdbook chapters', ({ path }) =>
      path === summary ? rowsOf(listedIn(summary, files.facts(summary))) : [],
    );
  }

  has(path: RepoPath): boolean {
    return this.#table.rows(path).length > 0;
  }

  /**
   * The number of chapters before a chapter; null when it is not listed. Callers depend on the whole table of contents.
   */
  orderOf(path: RepoPath): number | null {
    return listedIn(this.#summary, this.#files.facts(this.#summary)).get(path) ?? null;
  }

  first(): RepoPath | null {
    return this.#table.rows(FIRST)[0]?.value ?? null;
  }
}

/** The key of the first chapter; no path equals it. */
const FIRST = '\0first';

function rowsOf(listed: ReadonlyMap<RepoPath, number>): (readonly [string, RepoPath | null])[] {
  const rows = [...listed.keys()].map((path): readonly [string, RepoPath | null] => [path, null]);
  const [first] = listed.keys();
  return first === undefined ? rows : [[FIRST, first], ...rows];
}

/**
 * By the facts of a table of contents, for one path: equal files share their facts, but their links lead to other
 * files.
 */
const cache = new WeakMap<
  FileFacts,
  { readonly summary: RepoPath; readonly listed: ReadonlyMap<RepoPath, number> }
>();

function listedIn(summary: RepoPath, facts: FileFacts | undefined): ReadonlyMap<RepoPath, number> {
  const known = facts === undefined ? undefined : cache.get(facts);
  if (known?.summary === summary) return known.listed;
  const listed = new Map<RepoPath, number>();
  for (const reference of facts?.references ?? []) {
    if (reference.kind !== 'link' && reference.kind !== 'definition') continue;
    const { target } = parseTarget(summary, reference);
    if (target.kind === 'path' && !listed.has(target.path)) listed.set(target.path, listed.size);
  }
  if (facts !== undefined) cache.set(facts, { summary, listed });
  return listed;
}
