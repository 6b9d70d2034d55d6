import type { ContentsEntry, Page, RepoPath } from '../../model/index.ts';
import {
  type LocatedEntry,
  type PageFile,
  PagePaths,
  pagesFromFolders,
  pagesFromSummary,
  type SummarySource,
} from '../../pages/index.ts';
import { folderOf, isInside, LayeredMap, pathInside } from '../../tree/index.ts';
import type { GitbookSpaceConfig } from './gitbook-config.ts';
import { gitbookSlug } from './gitbook-headings.ts';
import { ListedContents } from './listed-contents.ts';
import { splitTarget } from './split-target.ts';

/** What one space publishes. */
export interface PublishedSpace {
  readonly config: GitbookSpaceConfig;
  /** Published path → file, null for a group without a page. */
  readonly paths: LayeredMap<string, RepoPath | null>;
  /** Files that the table of contents lists. */
  readonly listed: LayeredMap<RepoPath, true>;
  /** Where its entries lead, for `patchSpace`; null when no later tree reuses the space. */
  readonly entries: ListedContents | null;
}

const publishedPaths = new WeakMap<PublishedSpace['paths'], ReadonlyMap<RepoPath, string>>();

/** The first path at which a space publishes a file; null when it does not. */
export function publishedPathOf({ paths }: PublishedSpace, file: RepoPath): string | null {
  let known = publishedPaths.get(paths);
  if (known === undefined) {
    const first = new Map<RepoPath, string>();
    for (const [path, target] of paths.entries())
      if (target !== null && !first.has(target)) first.set(target, path);
    known = first;
    publishedPaths.set(paths, known);
  }
  return known.get(file) ?? null;
}

/** The files that a space may publish as pages. */
export interface PossiblePages {
  at(path: RepoPath): PageFile | null;
  /** All of them, in the order of the tree. */
  all(): readonly PageFile[];
}

/** Computes what a space publishes from its navigation; `isReused` prepares it for `patchSpace`. */
export function publishSpace(
  config: GitbookSpaceConfig,
  contents: readonly ContentsEntry[],
  files: PossiblePages,
  isReused = false,
): PublishedSpace {
  const located: LocatedEntry[] = [];
  const pagePaths = new PagePaths();
  const options = {
    paths: pagePaths,
    ...(isReused ? { onLocated: (candidate: LocatedEntry) => void located.push(candidate) } : {}),
  };
  const pages = navigationOf(config, contents, files, options);
  const paths = new Map<string, RepoPath | null>();
  const listed = new Map<RepoPath, true>();
  collect(pages, paths, listed);
  const folders = groupFolders(pages);
  for (const folder of folders) if (!paths.has(folder)) paths.set(folder, null);
  const entries = isReused ? ListedContents.of(located, pagePaths.wanted, folders) : null;
  return { config, paths: new LayeredMap(paths), listed: new LayeredMap(listed), entries };
}

/**
 * What a space publishes after files were added or removed at the `touched` paths. Null when that may affect further
 * entries, so that everything must be computed again.
 */
export function patchSpace(
  space: PublishedSpace,
  touched: Iterable<RepoPath>,
  files: Pick<PossiblePages, 'at'>,
): PublishedSpace | null {
  const { config } = space;
  const patch = space.entries?.patch(touched, {
    pageAt: (path) => pageAt(path, files)?.path ?? null,
    publishedPathOf: (file) => gitbookPagePath(file, config),
  });
  if (patch === undefined || patch === null) return null;
  const { entries, added, removed } = patch;
  const listed = new Map<RepoPath, true | undefined>();
  const paths = new Map<string, RepoPath | null | undefined>();
  for (const [file, published] of removed) {
    listed.set(file, undefined);
    paths.set(published, undefined);
  }
  for (const [file, published] of added) {
    listed.set(file, true);
    paths.set(published, file);
  }
  return { config, entries, listed: space.listed.with(listed), paths: space.paths.with(paths) };
}

/** Builds a space's navigation from its `SUMMARY.md`, or without one from its folders. */
export function navigationOf(
  config: GitbookSpaceConfig,
  contents: readonly ContentsEntry[],
  files: PossiblePages,
  options: Pick<SummarySource, 'paths' | 'onLocated'> = {},
): readonly Page[] {
  if (contents.length === 0) return pagesFromFolders(files.all(), config.root);
  return pagesFromSummary(contents, {
    summaryPath: config.summary,
    directory: config.root,
    pageAt: (path) => pageAt(path, files),
    pathOf: (target) => pathOfEntry(target, config),
    publishedPathOf: (file) => gitbookPagePath(file, config),
    groupSlug: (entry) => entry.id ?? gitbookSlug(entry.title),
    ...options,
  });
}

/** The page at a path, or the README of the folder at the path. */
function pageAt(path: RepoPath, files: Pick<PossiblePages, 'at'>): PageFile | null {
  return files.at(path) ?? files.at(path === '' ? 'README.md' : `${path}/README.md`);
}

function collect(
  pages: readonly Page[],
  paths: Map<string, RepoPath | null>,
  listed: Map<RepoPath, true>,
): void {
  for (const page of pages) {
    if (page.type !== 'link' && !paths.has(page.path)) paths.set(page.path, page.file);
    if (page.file !== null) listed.set(page.file, true);
    collect(page.pages, paths, listed);
  }
}

/** The folders that contain all pages of a group, and are its address if its title is not. */
function groupFolders(pages: readonly Page[]): readonly string[] {
  return pages.flatMap((page) => {
    const inner =
      page.type === 'group' ? page.pages.filter((candidate) => candidate.type === 'document') : [];
    const own = sharedFolder(inner.map((candidate) => folderOf(candidate.path)));
    return [...(own === '' ? [] : [own]), ...groupFolders(page.pages)];
  });
}

function sharedFolder([first = '', ...rest]: readonly string[]): string {
  let shared = first;
  while (shared !== '' && !rest.every((candidate) => candidate === shared || isInside(candidate, shared)))
    shared = folderOf(shared);
  return shared;
}

/** The path to which an entry of the table of contents leads; null when it leads to another site. */
function pathOfEntry(target: string, config: GitbookSpaceConfig) {
  const split = splitTarget(config.summary, config.root, target);
  return split === null ? null : { path: split.candidates[0], anchor: split.anchor };
}

/**
 * A page's path in the published space, without its extension: a README has the path of its folder, and the configured
 * readme the empty path.
 */
export function gitbookPagePath(file: RepoPath, config: GitbookSpaceConfig): string {
  if (file === config.readme || !isInside(file, config.root)) return '';
  const path = pathInside(file, config.root);
  return /(?:^|\/)README\.md$/i.test(path) ? folderOf(path) : path.replace(/\.md$/i, '');
}
