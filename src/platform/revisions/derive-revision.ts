import { doInTurns } from '../../content/engine/index.ts';
import type { FormatName, TreeEntry } from '../../content/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import {
  findSpaceBlobs,
  type Notices,
  newId,
  type RevisionOrigin,
  type RevisionRow,
  recordSpaceBlobs,
  type SpaceRow,
} from '../../store/index.ts';
import { partOids } from '../content/compose-row.ts';
import type { PlatformDeps } from '../deps.ts';
import { searchLanguages } from '../search/search-language.ts';
import { storePageSections, type UnsearchedPage } from '../search/store-sections.ts';
import type { BlobReader } from './blob-reader.ts';
import type { ContentRows, DerivedContent } from './content-rows.ts';
import { deriveContent } from './derive-content.ts';
import { toTreeEntry } from './derive-entry.ts';
import { findFormat } from './find-format.ts';
import { findNotices, isUnsearched, type RefusedEntry, reasonOf } from './find-notices.ts';
import { findRenames } from './find-renames.ts';
import { type ContentNames, type DraftNames, nameContent, namesIn } from './name-content.ts';
import { createStoredReader } from './read-stored.ts';
import { type StoredFile, storeFiles } from './store-files.ts';
import { createTextStore } from './store-texts.ts';

/** A tree to derive a revision from. */
export interface TreeSource {
  readonly space: SpaceRow;
  /** The previous revision, whose ids and times are reused. */
  readonly base: RevisionRow;
  /** The whole repository. */
  readonly tree: readonly TreeEntry[];
  /** The folder of the space in the repository; '' for the root. */
  readonly directory: string;
  readonly readBlobs: BlobReader;
  /** The web addresses of the repository: links to its own web pages count as links into the tree. */
  readonly origin: RevisionOrigin;
  /** Whether the revision will be the current content; otherwise the ids of the current content must not change. */
  readonly becomesCurrent: boolean;
  /** For a translation: the format of its source, which it has where the repository's declaration cannot be read. */
  readonly formatOfSource?: FormatName;
  /** The draft (of a change request) whose ids are reused, and the revision of the content that it started from. */
  readonly draft?: { readonly head: ContentRows; readonly base: ContentRows };
  /** Entries of the repository that are not in `tree`, as far as they are known; by default those of `base`. */
  readonly refused?: readonly RefusedEntry[];
  /** Bytes that the space received and that were lost: they are read and stored again. */
  readonly lost?: ReadonlySet<string>;
  /** When the file at a path was last changed; undefined where that is not known, which counts as now. */
  readonly changedAt?: (path: string) => Date | undefined;
  /** Called with the numbers of blobs that were read and that are needed. */
  readonly onProgress?: (done: number, total: number) => Promise<void>;
}

export interface DerivedRevision {
  readonly derived: DerivedContent;
  readonly names: ContentNames;
  readonly format: FormatName;
  readonly notices: Notices | null;
}

/** Derives a revision from a tree and stores the bytes that it needs. Nothing of it is visible to readers yet. */
export async function deriveRevision(
  deps: Pick<PlatformDeps, 'db' | 'blobs' | 'deriver' | 'log' | 'refetch'>,
  source: TreeSource,
): Promise<DerivedRevision> {
  const { contents, formats } = deps.deriver;
  const engine = deps.deriver.engineOf(source.space);
  const { space, base, tree, directory, readBlobs, onProgress = async () => {} } = source;
  const previous = await contents.load(deps.db, base);
  const lost = source.lost ?? new Set<string>();
  const texts = createTextStore(deps.db, space.id, readBlobs, {
    // Where some bytes are lost, others may be, too.
    knownOids: lost.size > 0 ? new Set() : pageOids(previous),
    lost,
  });
  // What decides on the format is stored as pages are, so that edits and translations of the space find it, too.
  const readAndStore: BlobReader = async function* (oids) {
    for await (const blob of readBlobs(oids)) {
      await texts.add(blob);
      yield blob;
    }
  };
  const found = await findFormat(directory, tree, readAndStore, {
    cache: formats,
    spaceId: space.id,
    before: source.formatOfSource ?? (previous.entries.size === 0 ? null : (base.format as FormatName)),
  });
  const analysis = await engine
    .analyse({
      tree,
      directory,
      ...found,
      ...(source.origin.repository ? { repository: source.origin.repository } : {}),
      read: async function* (entries: readonly TreeEntry[]) {
        const oids = entries.map((entry) => entry.oid);
        let done = 0;
        for await (const blob of readBlobs(oids)) {
          await texts.add(blob);
          yield blob;
          await onProgress(++done, oids.length);
        }
      },
    })
    .finally(() => texts.flush());
  const stored = await storeFiles({
    readBlobs,
    analysis,
    tree,
    previous: previous.files,
    lost,
    blobs: deps.blobs,
    received: {
      find: (oids) => findSpaceBlobs(deps.db, space.id, oids),
      record: (oids) => recordSpaceBlobs(deps.db, space.id, oids),
    },
    onProgress,
  });
  const names = nameContent({
    known: await contents.loadIds(deps.db, space),
    ...(source.draft === undefined ? {} : { draft: draftNames(source.draft, tree) }),
    renames: await findRenames(previous.entries, tree, {
      readStored: createStoredReader(deps, space.id, { lost: 'leave-out' }),
      readBlobs,
    }),
    becomesCurrent: source.becomesCurrent,
    newId,
  });
  const derive = (unread: ReadonlySet<string>) =>
    doInTurns(
      deriveContent(analysis, {
        tree,
        names,
        previous,
        stored,
        unread,
        treeUrl: source.origin.treeUrl,
        language: space.language,
        now: new Date(),
        changedAt: source.changedAt,
      }),
    );
  const first = await derive(new Set());
  const including = lost.size > 0 ? [...first.rows.pages.values()] : first.changes.pages.added;
  const unread = await texts.finish(analysis.pages, [
    ...[...including].flatMap(partOids),
    ...lostBesides(lost, tree, stored),
  ]);
  const derived = unread.size === 0 ? first : await derive(unread);
  // Only the content that readers see is searched.
  const unsearched: UnsearchedPage[] = [];
  if (source.becomesCurrent) {
    const found = await storePageSections(deps.db, analysis, {
      added: derived.changes.pages.added,
      previous: previous.pages,
      languages: searchLanguages(space.language, analysis.settings.languages),
      spaceId: space.id,
    });
    const { added } = derived.changes.pages;
    unsearched.push(
      ...found,
      ...unsearchedBefore(base, tree, new Set([...added].map((page) => page.gitPath))),
    );
  }
  const notices = findNotices({
    analysis,
    tree,
    directory,
    stored,
    unsearched,
    engine,
    refused: source.refused ?? refusedBefore(base),
  });
  // The pages of other revisions are not served at their paths, so no path leads elsewhere.
  const result = source.becomesCurrent ? derived : { ...derived, moved: [] };
  return { derived: result, names, format: analysis.format, notices };
}

function draftNames(
  { head, base }: NonNullable<TreeSource['draft']>,
  tree: readonly TreeEntry[],
): DraftNames {
  const index = treeIndexOf(tree);
  return {
    names: namesIn(head),
    existedAtStart: (path) => base.entries.has(path),
    exists: (path) => index.entry(path) !== undefined,
  };
}

function refusedBefore({ notices }: RevisionRow): readonly RefusedEntry[] {
  const { items = [] } = (notices as Notices | null) ?? {};
  return items.flatMap((notice) =>
    notice.code === 'name-refused' ? [{ path: notice.path, reason: reasonOf(notice) }] : [],
  );
}

/** The pages without all sections that did not change: only those of changed pages are read. */
function unsearchedBefore(
  { notices }: RevisionRow,
  tree: readonly TreeEntry[],
  changed: ReadonlySet<string | null>,
): readonly UnsearchedPage[] {
  const { items = [] } = (notices as Notices | null) ?? {};
  return items
    .filter((notice) => isUnsearched(notice) && !changed.has(notice.path))
    .filter(({ path }) => treeIndexOf(tree).entry(path) !== undefined)
    .map(({ path, message }) => ({ path, problem: message }));
}

/** Those of the lost bytes that are neither of pages nor of stored files: of configurations and of what else the engine reads. */
function lostBesides(
  lost: ReadonlySet<string>,
  tree: readonly TreeEntry[],
  stored: readonly StoredFile[],
): readonly string[] {
  if (lost.size === 0) return [];
  const files = new Set(stored.map(({ oid }) => oid));
  return tree.flatMap(({ oid }) => (lost.has(oid) && !files.has(oid) ? [oid] : []));
}

/** The tree of a version, by path. */
export function toTreeMap(content: Pick<ContentRows, 'entries'>): ReadonlyMap<string, TreeEntry> {
  return new Map(toTree(content).map((entry) => [entry.path, entry]));
}

/** The tree of a version. */
export function toTree(content: Pick<ContentRows, 'entries'>): TreeEntry[] {
  return [...content.entries.values()].map(toTreeEntry);
}

/** The oids of a revision's pages and of the files in their text that the space certainly received: a page without its bytes has no sections. */
function pageOids({ pages }: ContentRows): ReadonlySet<string> {
  const oids = new Set<string>();
  for (const page of pages.values()) {
    if (page.gitOid === null || page.sectionsId === null) continue;
    oids.add(page.gitOid);
    for (const oid of partOids(page)) oids.add(oid);
  }
  return oids;
}
