import {
  type ContentId,
  type Db,
  listPages,
  loadContentIds,
  loadEntries,
  loadFiles,
  loadSettings,
  type RevisionRow,
  recordEarlierBlobs,
  type SpaceRow,
} from '../../store/index.ts';
import type { ContentRows } from './content-rows.ts';

/** The limit for all spaces together; a page and its file in the tree count as two. */
const MAX_ROWS = 400_000;

/** Versions of one space: the current one, the last synced one, and those of a change request in progress. */
const MAX_VERSIONS_PER_SPACE = 4;

/**
 * The rows of recently used revisions, so that a push need not read them back. Revisions never change, except for the
 * files of the tree that are not shown to readers, so cached rows stay valid.
 */
export class ContentCache {
  readonly #contents = new Map<string, { readonly spaceId: string; readonly content: ContentRows }>();
  readonly #ids = new Map<string, { readonly version: number; readonly ids: readonly ContentId[] }>();
  #rows = 0;

  async load(db: Db, revision: RevisionRow): Promise<ContentRows> {
    await recordEarlierBlobs(db, revision);
    const known = this.#contents.get(keyOf(revision));
    if (known === undefined) return await readRows(db, revision);
    this.set(revision, known.content);
    return known.content;
  }

  set(revision: Pick<RevisionRow, 'id' | 'spaceId' | 'commitOid'>, content: ContentRows): void {
    const { spaceId } = revision;
    this.#delete(keyOf(revision));
    this.#contents.set(keyOf(revision), { spaceId, content });
    this.#rows += rowsOf(content);
    const keysOfSpace = [...this.#contents].flatMap(([key, known]) =>
      known.spaceId === spaceId ? [key] : [],
    );
    for (const key of keysOfSpace.slice(0, -MAX_VERSIONS_PER_SPACE)) this.#delete(key);
    for (const key of this.#contents.keys()) {
      if (this.#rows <= MAX_ROWS) break;
      this.#delete(key);
    }
  }

  /** All ids that were ever assigned in a space. */
  async loadIds(db: Db, space: Pick<SpaceRow, 'id' | 'idsVersion'>): Promise<readonly ContentId[]> {
    const known = this.#ids.get(space.id);
    if (known?.version === space.idsVersion) return known.ids;
    const ids = await loadContentIds(db, space.id);
    this.#ids.delete(space.id);
    this.#ids.set(space.id, { version: space.idsVersion, ids });
    for (const oldest of this.#ids.keys()) {
      if (this.#ids.size <= 20) break;
      this.#ids.delete(oldest);
    }
    return ids;
  }

  #delete(key: string): void {
    const known = this.#contents.get(key);
    if (known === undefined) return;
    this.#contents.delete(key);
    this.#rows -= rowsOf(known.content);
  }
}

/** The commit is part of the key, since a revision whose commit changed has another tree. */
function keyOf(revision: Pick<RevisionRow, 'id' | 'commitOid'>): string {
  return `${revision.id} ${revision.commitOid ?? ''}`;
}

function rowsOf({ pages, files, entries, settings }: ContentRows): number {
  return pages.size + files.size + entries.size + settings.size;
}

async function readRows(db: Db, revision: RevisionRow): Promise<ContentRows> {
  const [pages, files, entries, settings] = await Promise.all([
    listPages(db, revision),
    loadFiles(db, revision),
    loadEntries(db, revision),
    loadSettings(db, revision),
  ]);
  return {
    pages: new Map(pages.map((row) => [row.id, row])),
    files: new Map(files.map((row) => [row.id, row])),
    entries: new Map(entries.map((row) => [row.path, row])),
    settings: new Map(settings.map((row) => [row.key, row])),
    linkSets: new Map(),
    targets: { pageIds: new Map(), fileIds: new Map(), treeUrl: undefined },
    source: null,
  };
}
