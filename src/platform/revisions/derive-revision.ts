import type { FormatName, TreeEntry } from '../../content/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import {
  type Notices,
  newId,
  type RevisionOrigin,
  type RevisionRow,
  type SpaceRow,
} from '../../store/index.ts';
import { partOids } from '../content/compose-row.ts';
import type { PlatformDeps } from '../deps.ts';
import { storePageSections } from '../search/store-sections.ts';
import type { BlobReader } from './blob-reader.ts';
import type { ContentRows, DerivedContent } from './content-rows.ts';
import { deriveContent } from './derive-content.ts';
import { findFormat } from './find-format.ts';
import { findNotices, type RefusedEntry, reasonOf } from './find-notices.ts';
import { findRenames } from './find-renames.ts';
import { type ContentNames, type NamesBeside, nameContent, namesIn } from './name-content.ts';
import { createStoredReader } from './read-stored.ts';
import { storeFiles } from './store-files.ts';
import { createTextStore } from './store-texts.ts';

/** A tree to derive a revision from. */
export interface TreeSource {
  readonly space: SpaceRow;
  /** The previous revision, whose ids and times are reused. */
  readonly base: RevisionRow;
  /** The whole repository. */
  readonly tree: readonly TreeEntry[];
  /** The folder of the space in it; '' for the root. */
  readonly directory: string;
  readonly readBlobs: BlobReader;
  /** Where the repository is for people: links to its own web pages count as links into the tree. */
  readonly origin: RevisionOrigin;
  /** Whether it will be the current content; otherwise the old path of a moved file keeps its id for readers. */
  readonly keepMoves: boolean;
  /** A revision beside the content, whose pages keep their ids, and the revision that it started from. */
  readonly beside?: { readonly head: ContentRows; readonly base: ContentRows };
  /** Entries of the repository that are not in `tree`, as far as they are known; those of `base` when left out. */
  readonly refused?: readonly RefusedEntry[];
  /** Called with the number of needed blobs that were read. */
  readonly onProgress?: (done: number, total: number) => Promise<void>;
}

export interface DerivedRevision {
  readonly derived: DerivedContent;
  readonly names: ContentNames;
  readonly format: FormatName;
  readonly notices: Notices | null;
}

/** Derives a revision from a tree and stores the bytes that it needs. Nothing of it is visible yet. */
export async function deriveRevision(
  deps: Pick<PlatformDeps, 'db' | 'blobs' | 'deriver'>,
  source: TreeSource,
): Promise<DerivedRevision> {
  const { engine, memory, formats } = deps.deriver;
  const { space, base, tree, directory, readBlobs, onProgress = async () => {} } = source;
  const previous = await memory.load(deps.db, base);
  const texts = createTextStore(deps.db, readBlobs, pageOids(previous));
  const analysis = await engine.analyse({
    tree,
    directory,
    ...(await findFormat(directory, tree, readBlobs, {
      memory: formats,
      spaceId: space.id,
      before: previous.entries.size === 0 ? null : (base.format as FormatName),
    })),
    ...(source.origin.repository ? { repository: source.origin.repository } : {}),
    read: async function* (entries: readonly TreeEntry[]) {
      const oids = entries.map((entry) => entry.oid);
      let done = 0;
      for await (const blob of readBlobs(oids)) {
        await texts.take(blob);
        yield blob;
        await onProgress(++done, oids.length);
      }
    },
  });
  const stored = await storeFiles({
    readBlobs,
    analysis,
    tree,
    previous: previous.files,
    blobs: deps.blobs,
    onProgress,
  });
  const names = nameContent({
    known: await memory.loadIds(deps.db, space),
    ...(source.beside === undefined ? {} : { beside: namesBeside(source.beside, tree) }),
    renames: await findRenames(previous.entries, tree, { readStored: createStoredReader(deps), readBlobs }),
    keepMoves: source.keepMoves,
    newId,
  });
  const derived = deriveContent(analysis, {
    tree,
    names,
    previous,
    stored,
    treeUrl: source.origin.treeUrl,
    language: space.language,
    now: new Date(),
  });
  await texts.finish(analysis.pages, derived.changes.pages.added.flatMap(partOids));
  // Only what readers see is searched.
  if (source.keepMoves) {
    await storePageSections(deps.db, analysis, {
      added: derived.changes.pages.added,
      previous: previous.pages,
      language: space.language,
    });
  }
  const notices = findNotices({
    analysis,
    tree,
    directory,
    stored,
    engine,
    refused: source.refused ?? refusedBefore(base),
  });
  // Pages of a revision beside the content are not served at their addresses, so no address of theirs moved.
  const seen = source.keepMoves ? derived : { ...derived, moved: [] };
  return { derived: seen, names, format: analysis.format, notices };
}

function namesBeside(
  { head, base }: NonNullable<TreeSource['beside']>,
  tree: readonly TreeEntry[],
): NamesBeside {
  const index = treeIndexOf(tree);
  return {
    names: namesIn(head),
    stood: (path) => base.entries.has(path),
    stands: (path) => index.entry(path) !== undefined,
  };
}

function refusedBefore({ notices }: RevisionRow): readonly RefusedEntry[] {
  const { items = [] } = (notices as Notices | null) ?? {};
  return items.flatMap(({ code, path, message }) =>
    code === 'name-refused' ? [{ path, reason: reasonOf(message) }] : [],
  );
}

/** The tree of a version, by path. */
export function toTreeMap(content: Pick<ContentRows, 'entries'>): ReadonlyMap<string, TreeEntry> {
  return new Map(toTree(content).map((entry) => [entry.path, entry]));
}

/** The tree of a version. */
export function toTree(content: Pick<ContentRows, 'entries'>): TreeEntry[] {
  return [...content.entries.values()].map(({ path, oid, mode, size }) => ({
    path,
    oid,
    mode: mode as TreeEntry['mode'],
    ...(size === null ? {} : { size }),
  }));
}

/** The bytes of a revision's pages and their parts are known to be stored, except for parts that are too large. */
function pageOids({ pages }: ContentRows): ReadonlySet<string> {
  const oids = new Set<string>();
  for (const page of pages.values()) {
    if (page.gitOid !== null) oids.add(page.gitOid);
    for (const oid of partOids(page)) oids.add(oid);
  }
  return oids;
}
