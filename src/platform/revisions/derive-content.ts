import { type Link, linkListsOf, type SpaceAnalysis, type TreeEntry } from '../../content/index.ts';
import type { EntryRow } from '../../store/entries.ts';
import type { FileRow } from '../../store/files.ts';
import type { SetLinkRow } from '../../store/links.ts';
import type { MovedPage } from '../../store/moved-pages.ts';
import type { PageRow, StoredTarget } from '../../store/pages.ts';
import type { ContentChanges, RevisionCounts } from '../../store/revisions.ts';
import type { SettingRow } from '../../store/settings.ts';
import { contentTypeOf, lfsPointerType } from './content-type.ts';
import { deriveLinkSet, type LinkSet, type LinkTargets } from './derive-links.ts';
import { derivePages } from './derive-pages.ts';
import { deriveSettings } from './derive-settings.ts';
import { diffRows, isEmpty } from './diff-rows.ts';
import type { StoredFile } from './keep-files.ts';
import type { ContentNames } from './name-content.ts';
import { nameSections } from './name-sections.ts';

/** All rows of one version, by their keys. */
export interface ContentRows {
  readonly pages: ReadonlyMap<string, PageRow>;
  readonly files: ReadonlyMap<string, FileRow>;
  /** By path. */
  readonly entries: ReadonlyMap<string, EntryRow>;
  readonly settings: ReadonlyMap<string, SettingRow>;
  /** By path, of files whose links were derived in this process; what is not here is derived anew. */
  readonly linkSets: ReadonlyMap<string, LinkSet>;
  readonly targets: LinkTargets;
}

/** A version, and what has to be written to come to it. */
export interface DerivedContent {
  readonly rows: ContentRows;
  readonly changes: ContentChanges;
  readonly counts: RevisionCounts;
  /** Where pages were before that stand elsewhere now. */
  readonly moved: readonly MovedPage[];
  /** Whether readers would see the same as before. The tree may differ all the same, in files that nobody reads here. */
  readonly unchanged: boolean;
}

/** Turns what the content engine found into rows. Pure, but for the ids that `names` gives. */
export function deriveContent(
  analysis: SpaceAnalysis,
  options: {
    readonly tree: readonly TreeEntry[];
    readonly names: ContentNames;
    readonly previous: ContentRows;
    readonly stored: readonly StoredFile[];
    readonly treeUrl: string | undefined;
    /** The language of the space, where it is known; words are found by their stems in it. */
    readonly language: string | null;
    readonly now: Date;
  },
): DerivedContent {
  const { previous, names } = options;
  const lists = linksByFile(analysis);
  const files = new Map(options.stored.map((file) => toFile(file, names)).map((file) => [file.id, file]));
  const fileIds = new Map([...files.values()].map((file) => [file.gitPath, file.id]));
  const pages = new Map(
    derivePages(analysis, {
      names,
      now: options.now,
      previous: previous.pages,
      targetOf: (file, target) => findTarget(lists.get(file) ?? [], target, fileIds),
      sectionsOf: nameSections(analysis.dialects, options.language),
    }).map((page) => [page.id, page]),
  );
  const settings = deriveSettings(analysis.settings, names);
  const targets: LinkTargets = { pageIds: firstByPath(pages.values()), fileIds, treeUrl: options.treeUrl };
  const linkSets = deriveLinkSets(lists, previous, targets);
  const entries = new Map(
    options.tree.map((entry) => [
      entry.path,
      toEntry(entry, previous.entries.get(entry.path), targets, linkSets.get(entry.path)),
    ]),
  );
  const changes: ContentChanges = {
    pages: diffRows(previous.pages, pages),
    files: diffRows(previous.files, files),
    entries: diffRows(previous.entries, entries),
    settings: diffRows(previous.settings, settings),
    links: newSets(previous, linkSets),
  };
  return {
    rows: { pages, files, entries, settings, linkSets, targets },
    changes,
    counts: countAll(pages, files, lists.values()),
    moved: changes.pages.begun.flatMap(({ id: pageId, path }) => {
      const before = previous.pages.get(pageId);
      const isMoved = before !== undefined && before.type !== 'link' && before.path !== path;
      return isMoved ? [{ path: before.path, pageId }] : [];
    }),
    unchanged:
      isEmpty(changes.pages) &&
      isEmpty(changes.files) &&
      isEmpty(changes.settings) &&
      hasSameLinks(previous.entries, changes.entries.begun),
  };
}

/** Where a destination of a page's front matter leads, as its link was judged; addresses elsewhere are as written. */
function findTarget(
  links: readonly Link[],
  target: string,
  fileIds: ReadonlyMap<string, string>,
): StoredTarget | null {
  if (/^https?:\/\//i.test(target)) return { url: target };
  const link = links.find((one) => one.kind === 'front-matter' && one.target === target);
  const path = link === undefined || link.status === 'broken' ? undefined : link.resolved?.path;
  const file = path === undefined ? undefined : fileIds.get(path);
  return file === undefined ? null : { file };
}

/** The links of each file that has any, in their order. */
function linksByFile(analysis: SpaceAnalysis): ReadonlyMap<string, readonly Link[]> {
  const lists = new Map<string, readonly Link[]>();
  for (const links of linkListsOf(analysis)) {
    const [first] = links;
    if (first !== undefined) lists.set(first.file, links);
  }
  return lists;
}

/** Takes over the sets whose links the engine did not judge anew and whose targets kept their ids. */
function deriveLinkSets(
  byFile: ReadonlyMap<string, readonly Link[]>,
  previous: ContentRows,
  targets: LinkTargets,
): ReadonlyMap<string, LinkSet> {
  const sameTargets = haveSameTargets(previous.targets, targets);
  const sets = new Map<string, LinkSet>();
  for (const [path, links] of byFile) {
    const before = previous.linkSets.get(path);
    const set = sameTargets && before?.source === links ? before : deriveLinkSet(links, targets);
    sets.set(path, set);
  }
  return sets;
}

/** Whether every file that is a target in both versions has the same id in both. */
function haveSameTargets(before: LinkTargets, after: LinkTargets): boolean {
  if (before.treeUrl !== after.treeUrl) return false;
  const isKept = (old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) => {
    for (const [path, id] of now) {
      const known = old.get(path);
      if (known !== undefined && known !== id) return false;
    }
    return true;
  };
  const isApart = (pages: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>) => {
    for (const path of files.keys()) if (pages.has(path)) return false;
    return true;
  };
  return (
    isKept(before.pageIds, after.pageIds) &&
    isKept(before.fileIds, after.fileIds) &&
    isApart(before.pageIds, after.fileIds) &&
    isApart(after.pageIds, before.fileIds)
  );
}

function newSets(
  previous: ContentRows,
  sets: ReadonlyMap<string, LinkSet>,
): ReadonlyMap<string, readonly SetLinkRow[]> {
  const known = new Set([...previous.entries.values()].map((entry) => entry.linksId));
  return new Map([...sets.values()].filter(({ id }) => !known.has(id)).map(({ id, rows }) => [id, rows]));
}

function toEntry(
  { path, oid, mode, size }: TreeEntry,
  before: EntryRow | undefined,
  targets: LinkTargets,
  links: LinkSet | undefined,
): EntryRow {
  const pageId = targets.pageIds.get(path) ?? null;
  const linksId = links?.id ?? null;
  const sameBytes = before?.oid === oid;
  if (sameBytes && before.mode === mode && before.pageId === pageId && before.linksId === linksId)
    return before;
  return { path, oid, mode, size: size ?? (sameBytes ? before.size : null), pageId, linksId };
}

/** Whether none of the new entries holds other links than the same file did before. */
function hasSameLinks(before: ReadonlyMap<string, EntryRow>, begun: readonly EntryRow[]): boolean {
  return begun.every(({ path, linksId }) => linksId === (before.get(path)?.linksId ?? null));
}

function toFile(file: StoredFile, names: ContentNames): FileRow {
  return {
    id: names.idOf('file', file.path),
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    contentType: file.state === 'pointer' ? lfsPointerType : contentTypeOf(file.path),
    size: file.size,
    width: file.dimensions?.width ?? null,
    height: file.dimensions?.height ?? null,
    gitPath: file.path,
    gitOid: file.oid,
  };
}

/** A page that stands several times in the navigation is linked to where it stands first. */
function firstByPath(pages: Iterable<PageRow>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { gitPath, id } of pages) {
    if (gitPath !== null && !ids.has(gitPath)) ids.set(gitPath, id);
  }
  return ids;
}

function countAll(
  pages: ReadonlyMap<string, PageRow>,
  files: ReadonlyMap<string, FileRow>,
  lists: Iterable<readonly Link[]>,
): RevisionCounts {
  const counts = { pages: 0, files: files.size, links: 0, broken: 0, inApp: 0, unchecked: 0 };
  for (const page of pages.values()) if (page.type === 'document') counts.pages += 1;
  for (const links of lists) {
    counts.links += links.length;
    for (const { status } of links) {
      if (status === 'broken') counts.broken += 1;
      else if (status === 'in-app') counts.inApp += 1;
      else if (status === 'unchecked') counts.unchecked += 1;
    }
  }
  return counts;
}
