import type { Steps } from '../../content/engine/index.ts';
import {
  type Link,
  linkListsOf,
  partsOfPage,
  type SpaceAnalysis,
  type TreeEntry,
} from '../../content/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import {
  type EntryRow,
  type FileRow,
  type PageRow,
  type RevisionCounts,
  type SetLinkRow,
  type StoredPart,
  specsOf,
} from '../../store/index.ts';
import { searchLanguages } from '../search/search-language.ts';
import type { ContentRows, ContentSource, DerivedContent, DerivedPart } from './content-rows.ts';
import { contentTypeOf, lfsPointerType } from './content-type.ts';
import { deriveEntry } from './derive-entry.ts';
import { deriveLinkSet, type LinkSet, type LinkTargets } from './derive-links.ts';
import { derivePages } from './derive-pages.ts';
import { deriveSettings } from './derive-settings.ts';
import { diffRows, isEmpty, type RowsDiff } from './diff-rows.ts';
import { findTarget } from './find-target.ts';
import type { ContentNames } from './name-content.ts';
import type { PageRowOptions } from './page-row.ts';
import { patchContent } from './patch-content.ts';
import type { StoredFile } from './store-files.ts';

export interface DeriveOptions {
  readonly tree: readonly TreeEntry[];
  readonly names: ContentNames;
  readonly previous: ContentRows;
  readonly stored: readonly StoredFile[];
  /** The oids of pages and of files included in them whose bytes the space did not receive. */
  readonly unread: ReadonlySet<string>;
  readonly treeUrl: string | undefined;
  /** The language of the space, if it is known; search stems words in it. */
  readonly language: string | null;
  readonly now: Date;
  readonly changedAt?: PageRowOptions['changedAt'];
}

/**
 * Turns the result of the content engine into rows: from those of the previous version if only texts differ, as after
 * most pushes, and otherwise from scratch. Pure, except for the ids that `names` assigns. In steps, since a space may have
 * millions of links.
 */
export function* deriveContent(analysis: SpaceAnalysis, options: DeriveOptions): Steps<DerivedContent> {
  const { previous, names } = options;
  const files = yield* diffRows(
    previous.files,
    options.stored.map((file) => toFile(file, names)),
    (file) => file.id,
  );
  const settings = yield* diffRows(
    previous.settings,
    deriveSettings(analysis.settings, names),
    (setting) => setting.key,
  );
  const source = {
    tree: options.tree,
    lists: linkListsOf(analysis),
    navigation: analysis.pages,
    dialects: analysis.dialects,
    languages: searchLanguages(options.language, analysis.settings.languages),
  };
  const entryAt = (path: string) => treeIndexOf(options.tree).entry(path);
  const partsOf = (file: string) => {
    const parts = partsOfPage(analysis, file, entryAt);
    return parts?.map((part) => withoutUnread(part, options.unread)) ?? null;
  };
  // No other rows depend on those of settings.
  const patched = isEmpty(files.changes)
    ? yield* patchContent(previous, source, { ...options, partsOf })
    : null;
  const content = patched ?? (yield* deriveAll(analysis, { ...options, source, files, partsOf }));
  const changes = { ...content.changes, files: files.changes, settings: settings.changes };
  return {
    rows: { ...content.rows, files: files.rows, settings: settings.rows },
    changes,
    counts: countAll(content.rows.pages.values(), files.rows.size, content.rows.linkSets.values()),
    moved: changes.pages.added.flatMap(({ id: pageId, path }) => {
      const before = previous.pages.get(pageId);
      const isMoved = before !== undefined && before.type !== 'link' && before.path !== path;
      return isMoved ? [{ path: before.path, pageId }] : [];
    }),
    unchanged:
      isEmpty(changes.pages) &&
      isEmpty(changes.files) &&
      isEmpty(changes.settings) &&
      hasSameLinks(previous.entries, changes.entries.added),
  };
}

function* deriveAll(
  analysis: SpaceAnalysis,
  options: DeriveOptions & {
    readonly partsOf: PageRowOptions['partsOf'];
    readonly source: Omit<ContentSource, 'pageIds'>;
    readonly files: RowsDiff<FileRow>;
  },
): Steps<DerivedPart> {
  const { previous, names, source, partsOf, treeUrl, now, changedAt, unread } = options;
  const lists = linksByFile(source.lists);
  const fileIds = new Map([...options.files.rows.values()].map((file) => [file.gitPath, file.id]));
  const derived = derivePages(analysis, {
    names,
    now,
    changedAt,
    unread,
    previous: previous.pages,
    targetOf: (file, target) => findTarget(lists.get(file) ?? [], target, fileIds),
    partsOf,
    languages: source.languages,
  });
  const pages = yield* diffRows(previous.pages, derived.rows, (page) => page.id);
  const targets: LinkTargets = { pageIds: firstByPath(derived.rows), fileIds, treeUrl };
  const linkSets = yield* deriveLinkSets(lists, previous, targets);
  const entries = yield* diffRows(
    previous.entries,
    options.tree.map((entry) =>
      deriveEntry(entry, previous.entries.get(entry.path), {
        pageId: targets.pageIds.get(entry.path) ?? null,
        linksId: linkSets.get(entry.path)?.id ?? null,
      }),
    ),
    (entry) => entry.path,
  );
  // An object that is in the navigation twice has two ids, of which the map contains only one.
  const isUnambiguous = derived.ids.size === derived.rows.length;
  return {
    rows: {
      pages: pages.rows,
      entries: entries.rows,
      linkSets,
      targets,
      source: isUnambiguous ? { ...source, pageIds: derived.ids } : null,
    },
    changes: { pages: pages.changes, entries: entries.changes, links: newSets(previous, linkSets) },
  };
}

function withoutUnread(part: StoredPart, unread: ReadonlySet<string>): StoredPart {
  if (!('oid' in part) || !unread.has(part.oid)) return part;
  const { in: file, target, path } = part;
  return { in: file, target, problem: `The bytes of ${path} were not received from the repository.` };
}

/** The links of each file that has any, in their order. */
function linksByFile(lists: readonly (readonly Link[])[]): ReadonlyMap<string, readonly Link[]> {
  const byFile = new Map<string, readonly Link[]>();
  for (const links of lists) {
    const [first] = links;
    if (first !== undefined) byFile.set(first.file, links);
  }
  return byFile;
}

/** Reuses the sets of files whose links the engine did not check again and whose targets have the same ids. */
function* deriveLinkSets(
  byFile: ReadonlyMap<string, readonly Link[]>,
  previous: ContentRows,
  targets: LinkTargets,
): Steps<ReadonlyMap<string, LinkSet>> {
  const sameTargets = haveSameTargets(previous.targets, targets);
  const sets = new Map<string, LinkSet>();
  for (const [path, links] of byFile) {
    const before = previous.linkSets.get(path);
    const set = sameTargets && before?.source === links ? before : yield* deriveLinkSet(links, targets);
    sets.set(path, set);
  }
  return sets;
}

/** Whether every file that is a target in both versions has the same id in both. */
function haveSameTargets(before: LinkTargets, after: LinkTargets): boolean {
  if (before.treeUrl !== after.treeUrl) return false;
  const hasSameIds = (old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) => {
    for (const [path, id] of now) {
      const known = old.get(path);
      if (known !== undefined && known !== id) return false;
    }
    return true;
  };
  const areDisjoint = (pages: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>) => {
    for (const path of files.keys()) if (pages.has(path)) return false;
    return true;
  };
  return (
    hasSameIds(before.pageIds, after.pageIds) &&
    hasSameIds(before.fileIds, after.fileIds) &&
    areDisjoint(before.pageIds, after.fileIds) &&
    areDisjoint(after.pageIds, before.fileIds)
  );
}

/** The sets that differ from those of the same files before. Some may already be stored, for another file. */
function newSets(
  previous: ContentRows,
  sets: ReadonlyMap<string, LinkSet>,
): ReadonlyMap<string, readonly SetLinkRow[]> {
  const fresh = new Map<string, readonly SetLinkRow[]>();
  for (const [path, set] of sets) {
    if (previous.entries.get(path)?.linksId !== set.id) fresh.set(set.id, set.rows);
  }
  return fresh;
}

/** Whether none of the new entries has other links than the same file had before. */
function hasSameLinks(before: ReadonlyMap<string, EntryRow>, added: readonly EntryRow[]): boolean {
  return added.every(({ path, linksId }) => linksId === (before.get(path)?.linksId ?? null));
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

/** Links to a page that is in the navigation several times lead to its first entry. */
function firstByPath(pages: Iterable<PageRow>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { gitPath, id } of pages) {
    if (gitPath !== null && !ids.has(gitPath)) ids.set(gitPath, id);
  }
  return ids;
}

function countAll(pages: Iterable<PageRow>, files: number, linkSets: Iterable<LinkSet>): RevisionCounts {
  const all = { pages: 0, files, links: 0, broken: 0, inApp: 0, unchecked: 0, specs: 0 };
  for (const page of pages) {
    if (page.type === 'document') all.pages += 1;
    const specs = specsOf(page).length;
    all.links += specs;
    all.inApp += specs;
    all.specs += specs;
  }
  for (const { counts } of linkSets) {
    all.links += counts.links;
    all.broken += counts.broken;
    all.inApp += counts.inApp;
    all.unchecked += counts.unchecked;
    all.specs += counts.specs;
  }
  return all;
}
