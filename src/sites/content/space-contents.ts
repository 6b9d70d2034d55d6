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

/** The content of a space that a site shows. */
export interface SpaceContent {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
  readonly pages: PageIndex;
}

/** Reads the page trees of spaces; those of a revision never change. */
export class SpaceContents {
  readonly #db: Database;
  readonly #known: LRUCache<string, PageIndex>;

  constructor(db: Database) {
    this.#db = db;
    this.#known = new LRUCache({
      maxSize: MAX_PAGES,
      sizeCalculation: ({ byId }) => byId.size + 1,
    });
  }

  /** Null for a space that is gone, or has no content yet. */
  async load({ id, revisionId }: Pick<ShownSpace, 'id' | 'revisionId'>): Promise<SpaceContent | null> {
    if (revisionId === null) return null;
    const [space, revision] = await Promise.all([
      loadSpace(this.#db, id),
      loadRevision(this.#db, id, revisionId),
    ]);
    if (space === null || revision === null) return null;
    const known = this.#known.get(revisionId);
    const pages = known ?? indexPages(await listPages(this.#db, revision));
    this.#known.set(revisionId, pages);
    return { space, revision, pages };
  }
}
