import { LRUCache } from 'lru-cache';
import {
  type Database,
  listPages,
  loadRevision,
  loadSpace,
  type RevisionRow,
  type ShownSpace,
  type SpaceRow,
} from '../../store/index.ts';
import { indexPages, type PageIndex } from './page-index.ts';

/** Pages that one process remembers, of all spaces together. */
const MAX_PAGES = 100_000;

interface SpaceRows {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
}

/** The content of a space that a site shows. */
export interface SpaceContent extends SpaceRows {
  readonly pages: PageIndex;
}

/** Reads the page trees of spaces; those of a revision never change. */
export class SpaceContents {
  readonly #db: Database;
  /** By what a site shows of a space, which is the same object for as long as the site has the same version. */
  readonly #rows = new WeakMap<ShownSpace, Promise<SpaceRows | null>>();
  readonly #indexes: LRUCache<string, PageIndex, RevisionRow>;

  constructor(db: Database) {
    this.#db = db;
    this.#indexes = new LRUCache({
      maxSize: MAX_PAGES,
      sizeCalculation: ({ byId }) => byId.size + 1,
      fetchMethod: async (_id, _stale, { context }) => indexPages(await listPages(db, context)),
      ignoreFetchAbort: true,
    });
  }

  /** Null for a space that is gone, or has no content yet. */
  async load(shown: ShownSpace): Promise<SpaceContent | null> {
    let loading = this.#rows.get(shown);
    if (loading === undefined) {
      loading = this.#loadRows(shown);
      this.#rows.set(shown, loading);
      loading.catch(() => this.#rows.delete(shown));
    }
    const rows = await loading;
    if (rows === null) return null;
    const { revision } = rows;
    const pages =
      this.#indexes.get(revision.id) ?? (await this.#indexes.forceFetch(revision.id, { context: revision }));
    return { ...rows, pages };
  }

  async #loadRows({ id, revisionId }: ShownSpace): Promise<SpaceRows | null> {
    if (revisionId === null) return null;
    const [space, revision] = await Promise.all([
      loadSpace(this.#db, id),
      loadRevision(this.#db, id, revisionId),
    ]);
    return space === null || revision === null ? null : { space, revision };
  }
}
