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
  /** Where its entries lead, so that what comes or goes there is told alone; null where nobody will ask. */
  readonly places: ListedContents | null;
}

/** The files that a space may publish as pages. */
export interface PossiblePages {
  at(path: RepoPath): PageFile | null;
  /** All of them, in the order of the tree. */
  all(): readonly PageFile[];
}

/** Tells what a space publishes, by its navigation. */
export function publishSpace(
  config: GitbookSpaceConfig,
  contents: readonly ContentsEntry[],
  files: PossiblePages,
  isKept = false,
): PublishedSpace {
  const placed: LocatedEntry[] = [];
  const taken = new PagePaths();
  const noting = {
    paths: taken,
    ...(isKept ? { onLocated: (candidate: LocatedEntry) => void placed.push(candidate) } : {}),
  };
  const pages = navigationOf(config, contents, files, noting);
  const paths = new Map<string, RepoPath | null>();
  const listed = new Map<RepoPath, true>();
  collect(pages, paths, listed);
  const folders = groupFolders(pages);
  for (const folder of folders) if (!paths.has(folder)) paths.set(folder, null);
  const places = isKept ? ListedContents.of(placed, taken.wanted, folders) : null;
  return { config, paths: new LayeredMap(paths), listed: new LayeredMap(listed), places };
}

/**
 * What a space publishes after something came or went at some of the paths that were looked for. Null when that may
 * move other entries too, so that all is to be told anew.
 */
export function patchSpace(
  space: PublishedSpace,
  touched: Iterable<RepoPath>,
  files: Pick<PossiblePages, 'at'>,
): PublishedSpace | null {
  const { config } = space;
  const patch = space.places?.patch(touched, {
    pageAt: (path) => pageAt(path, files)?.path ?? null,
    publishedPathOf: (file) => gitbookPagePath(file, config),
  });
  if (patch === undefined || patch === null) return null;
  const { places, came, went } = patch;
  const listed = new Map<RepoPath, true | undefined>();
  const paths = new Map<string, RepoPath | null | undefined>();
  for (const [file, published] of went) {
    listed.set(file, undefined);
    paths.set(published, undefined);
  }
  for (const [file, published] of came) {
    listed.set(file, true);
    paths.set(published, file);
  }
  return { config, places, listed: space.listed.with(listed), paths: space.paths.with(paths) };
}

/** Builds a space's navigation: by its `SUMMARY.md`, and without one by its folders. */
export function navigationOf(
  config: GitbookSpaceConfig,
  contents: readonly ContentsEntry[],
  files: PossiblePages,
  noting: Pick<SummarySource, 'paths' | 'onLocated'> = {},
): readonly Page[] {
  if (contents.length === 0) return pagesFromFolders(files.all(), config.root);
  return pagesFromSummary(contents, {
    summaryPath: config.summary,
    directory: config.root,
    pageAt: (path) => pageAt(path, files),
    pathOf: (target) => pathOfEntry(target, config),
    publishedPathOf: (file) => gitbookPagePath(file, config),
    groupSlug: (entry) => entry.id ?? gitbookSlug(entry.title),
    ...noting,
  });
}

/** The page at a path, or of the folder there. */
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

/** The folders that groups keep all their pages in, which give a group its address when its title does not. */
function groupFolders(pages: readonly Page[]): readonly string[] {
  return pages.flatMap((page) => {
    const inner =
      page.type === 'group' ? page.pages.filter((candidate) => candidate.type === 'document') : [];
    const own = sharedFolder(inner.map((candidate) => folderOf(candidate.path)));
    return [...(own === '' ? [] : [own]), ...groupFolders(page.pages)];
  });
}

function sharedFolder([first = '', ...others]: readonly string[]): string {
  let shared = first;
  while (shared !== '' && !others.every((candidate) => candidate === shared || isInside(candidate, shared)))
    shared = folderOf(shared);
  return shared;
}

/** An entry of the table of contents as a path; null when it leads elsewhere. */
function pathOfEntry(target: string, config: GitbookSpaceConfig) {
  const split = splitTarget(config.summary, config.root, target);
  return split === null ? null : { path: split.candidates[0], anchor: split.anchor };
}

/** A page's path in the published space: without its extension; a README stands for its folder, the readme for the space. */
export function gitbookPagePath(file: RepoPath, config: GitbookSpaceConfig): string {
  if (file === config.readme || !isInside(file, config.root)) return '';
  const path = pathInside(file, config.root);
  return /(?:^|\/)README\.md$/i.test(path) ? folderOf(path) : path.replace(/\.md$/i, '');
}
