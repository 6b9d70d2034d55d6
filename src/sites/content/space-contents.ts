import { LRUCache } from 'lru-cache';
import {
  type Database,
  type KnownPages,
  listPages,
  listPagesSince,
  loadFolderLanguages,
  loadRevision,
  loadSettingsOf,
  loadSpace,
  type RevisionRow,
  type ShownSpace,
  type SpaceRow,
} from '../../store/index.ts';
import { type FolderLanguages, folderLanguagesOf } from './folder-languages.ts';
import { indexPages, isComposed, type PageIndex } from './page-index.ts';

/** Pages that one process remembers, of all spaces together. */
const MAX_PAGES = 100_000;

interface SpaceRows {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
}

/** The content of a space that a site shows. */
export interface SpaceContent extends SpaceRows {
  readonly pages: PageIndex;
  /** Null for a space whose builder publishes only one language. */
  readonly languages: FolderLanguages | null;
}

interface IndexedRevision extends KnownPages, Pick<SpaceContent, 'pages' | 'languages'> {}

/** Reads the page trees of spaces; those of a revision never change, and of the next one only what is different is read. */
export class SpaceContents {
  readonly #db: Database;
  /** By what a site shows of a space, which is the same object for as long as the site has the same version. */
  readonly #rows = new WeakMap<ShownSpace, Promise<SpaceRows | null>>();
  readonly #indexes: LRUCache<string, IndexedRevision, SpaceRows>;

  constructor(db: Database) {
    this.#db = db;
    this.#indexes = new LRUCache({
      maxSize: MAX_PAGES,
      sizeCalculation: ({ rows }) => rows.length + 1,
      fetchMethod: (_id, _stale, { context }) => this.#index(context),
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
    // Titles of pages may have that of the space in them.
    const key = `${rows.revision.id} ${rows.space.title}`;
    const { pages, languages } =
      this.#indexes.get(key) ?? (await this.#indexes.forceFetch(key, { context: rows }));
    return { ...rows, pages, languages };
  }

  async #index({ revision, space }: SpaceRows): Promise<IndexedRevision> {
    const known = this.#latestOf(revision.historyId);
    const rows =
      known === undefined
        ? await listPages(this.#db, revision)
        : await listPagesSince(this.#db, revision, known);
    const languages = folderLanguagesOf(await loadFolderLanguages(this.#db, revision));
    const settings = rows.some(isComposed) ? await loadSettingsOf(this.#db, revision, 'variable') : [];
    const variables = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    return { revision, rows, pages: indexPages(rows, { title: space.title, variables }), languages };
  }

  /** The version of a history that was used last. */
  #latestOf(historyId: string): IndexedRevision | undefined {
    for (const indexed of this.#indexes.values())
      if (indexed.revision.historyId === historyId) return indexed;
    return undefined;
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
