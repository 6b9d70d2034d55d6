import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../content/engine/index.ts';
import type { Link, Page, TreeEntry } from '../../content/index.ts';
import type { EntryRow, PageRow, SetLinkRow } from '../../store/index.ts';
import { type ChangedPage, compareNavigation } from './compare-navigation.ts';
import type { ContentRows, ContentSource, DerivedPart } from './content-rows.ts';
import { deriveEntry, toTreeEntry } from './derive-entry.ts';
import { deriveLinkSet, type LinkSet } from './derive-links.ts';
import { isSameRow } from './diff-rows.ts';
import { findTarget } from './find-target.ts';
import { type PageRowOptions, toPageRow } from './page-row.ts';

/**
 * Derives the rows of the next version from those of the last one, if the navigation has the same files at the same
 * positions and only their contents differ: then all ids and positions stay, and what is the same object as before has
 * the same row. Null if more differs, or if the source of the previous rows is not known.
 */
export function* patchContent(
  previous: ContentRows,
  source: Omit<ContentSource, 'pageIds'>,
  {
    now,
    changedAt,
    treeUrl,
    partsOf,
    unread,
  }: Pick<PageRowOptions, 'now' | 'changedAt' | 'partsOf' | 'unread'> & {
    readonly treeUrl: string | undefined;
  },
): Steps<DerivedPart | null> {
  const before = previous.source;
  if (before === null || before.dialects !== source.dialects) return null;
  if (!isDeepStrictEqual(before.languages, source.languages)) return null;
  if (previous.targets.treeUrl !== treeUrl) return null;
  const files = compareTrees(before.tree, source.tree);
  const lists = compareLists(before.lists, source.lists);
  const entries = compareNavigation(before.navigation, source.navigation);
  if (files === null || lists === null || entries === null) return null;

  const links = yield* patchLinks(previous, lists);
  const targetOf = (file: string, target: string) =>
    findTarget(links.all.get(file)?.source ?? [], target, previous.targets.fileIds);
  const { languages } = source;
  const toRow = ({ page, isBelowHidden }: ChangedPage, row: PageRow) =>
    toPageRow(page, { ...positionOf(row), isBelowHidden }, row, {
      now,
      changedAt,
      targetOf,
      partsOf,
      unread,
      languages,
    });
  const changed = [...entries, ...pagesWithParts(previous.pages, before.pageIds, { files, lists, entries })];
  const pages = patchPages(previous.pages, before.pageIds, changed, toRow);
  const tree = patchEntries(previous.entries, [...files.keys(), ...lists.keys()], (row) => {
    const linksId = links.all.get(row.path)?.id ?? null;
    return deriveEntry(files.get(row.path) ?? toTreeEntry(row), row, { pageId: row.pageId, linksId });
  });
  return {
    rows: {
      pages: pages.rows,
      entries: tree.rows,
      linkSets: links.all,
      targets: previous.targets,
      source: { ...source, pageIds: pages.ids },
    },
    changes: { pages: pages.changes, entries: tree.changes, links: links.fresh },
  };
}

/** The files whose bytes or mode differ, by path; null where files were added or removed. */
function compareTrees(
  before: readonly TreeEntry[],
  after: readonly TreeEntry[],
): ReadonlyMap<string, TreeEntry> | null {
  if (before.length !== after.length) return null;
  const changed = new Map<string, TreeEntry>();
  for (const [index, entry] of after.entries()) {
    const old = before[index];
    if (old === entry) continue;
    if (old?.path !== entry.path) return null;
    if (old.oid !== entry.oid || old.mode !== entry.mode) changed.set(entry.path, entry);
  }
  return changed;
}

/**
 * The lists of links that are not the same objects as before, by file. Null if they belong to other files, or if one has
 * links of the front matter, since the rows of pages contain their targets.
 */
function compareLists(
  before: ContentSource['lists'],
  after: ContentSource['lists'],
): ReadonlyMap<string, readonly Link[]> | null {
  if (before.length !== after.length) return null;
  const changed = new Map<string, readonly Link[]>();
  for (const [index, links] of after.entries()) {
    const old = before[index] as readonly Link[];
    if (old === links) continue;
    const file = (links[0] ?? old[0])?.file;
    if (file === undefined) continue;
    const isElsewhere = (link: Link) => link.kind === 'front-matter' || link.file !== file;
    if (old.some(isElsewhere) || links.some(isElsewhere)) return null;
    changed.set(file, links);
  }
  return changed;
}

function* patchLinks(
  { linkSets, targets }: ContentRows,
  lists: ReadonlyMap<string, readonly Link[]>,
): Steps<{
  readonly all: ReadonlyMap<string, LinkSet>;
  readonly fresh: ReadonlyMap<string, readonly SetLinkRow[]>;
}> {
  const all = new Map(linkSets);
  const fresh = new Map<string, readonly SetLinkRow[]>();
  for (const [file, links] of lists) {
    if (links.length === 0) {
      all.delete(file);
      continue;
    }
    const set = yield* deriveLinkSet(links, targets);
    if (set.id !== linkSets.get(file)?.id) fresh.set(set.id, set.rows);
    all.set(file, set);
  }
  return { all, fresh };
}

/** Further entries: those whose text includes a file that differs or whose links differ. */
function pagesWithParts(
  rows: ContentRows['pages'],
  known: ReadonlyMap<Page, string>,
  changed: {
    readonly files: ReadonlyMap<string, TreeEntry>;
    readonly lists: ReadonlyMap<string, readonly Link[]>;
    readonly entries: readonly ChangedPage[];
  },
): readonly ChangedPage[] {
  const affected = new Map<string, PageRow>();
  for (const row of rows.values()) {
    const isAffected = row.settings?.parts?.some(
      (part) => changed.lists.has(part.in) || ('path' in part && changed.files.has(part.path)),
    );
    if (isAffected === true) affected.set(row.id, row);
  }
  if (affected.size === 0) return [];
  const listed = new Set(changed.entries.map((entry) => entry.before));
  return [...known].flatMap(([page, id]) => {
    const row = affected.get(id);
    if (row === undefined || listed.has(page)) return [];
    // A page with sections is not below a hidden page; for any other page, nothing depends on it.
    return [{ before: page, page, isBelowHidden: row.sectionsId === null }];
  });
}

function patchPages(
  previous: ContentRows['pages'],
  known: ReadonlyMap<Page, string>,
  changed: readonly ChangedPage[],
  toRow: (page: ChangedPage, before: PageRow) => PageRow,
) {
  const rows = new Map(previous);
  const ids = new Map(known);
  const changes = { removed: [] as string[], added: [] as PageRow[] };
  for (const entry of changed) {
    const id = known.get(entry.before) as string;
    const before = previous.get(id) as PageRow;
    ids.delete(entry.before);
    ids.set(entry.page, id);
    const row = toRow(entry, before);
    if (isSameRow(before, row)) continue;
    rows.set(id, row);
    changes.removed.push(id);
    changes.added.push(row);
  }
  return { rows, ids, changes };
}

function patchEntries(
  previous: ContentRows['entries'],
  paths: readonly string[],
  toRow: (before: EntryRow) => EntryRow,
) {
  const rows = new Map(previous);
  const changes = { removed: [] as string[], added: [] as EntryRow[] };
  for (const path of new Set(paths)) {
    const before = previous.get(path) as EntryRow;
    const row = toRow(before);
    if (row === before) continue;
    rows.set(path, row);
    changes.removed.push(path);
    changes.added.push(row);
  }
  return { rows, changes };
}

function positionOf({ id, parentId, position, dialect }: PageRow) {
  return { id, parentId, position, dialect };
}
