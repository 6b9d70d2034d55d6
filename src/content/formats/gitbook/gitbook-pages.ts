import type { ContentsEntry, Page, RepoPath } from '../../model.ts';
import type { PageFile } from '../../pages/page-entry.ts';
import { pagesFromFolders } from '../../pages/pages-from-folders.ts';
import { pagesFromSummary } from '../../pages/pages-from-summary.ts';
import { isInside, pathInside } from '../../tree/page-files.ts';
import { folderOf } from '../../tree/relative-path.ts';
import { gitbookSlug } from './gitbook-headings.ts';
import type { SpaceConfig } from './space-config.ts';
import { splitTarget } from './split-target.ts';

/** What one space publishes. */
export interface PublishedSpace {
  readonly config: SpaceConfig;
  /** Published path → file, null for a group without a page. */
  readonly paths: ReadonlyMap<string, RepoPath | null>;
  /** Files that the table of contents lists. */
  readonly listed: ReadonlySet<RepoPath>;
}

/** The files that a space may publish as pages. */
export interface PossiblePages {
  at(path: RepoPath): PageFile | null;
  /** All of them, in the order of the tree. */
  all(): readonly PageFile[];
}

/** Tells what a space publishes, by its navigation. */
export function publishSpace(
  config: SpaceConfig,
  contents: readonly ContentsEntry[],
  files: PossiblePages,
): PublishedSpace {
  const pages = navigationOf(config, contents, files);
  const paths = new Map<string, RepoPath | null>();
  const listed = new Set<RepoPath>();
  collect(pages, paths, listed);
  for (const folder of groupFolders(pages)) if (!paths.has(folder)) paths.set(folder, null);
  return { config, paths, listed };
}

/** Builds a space's navigation: by its `SUMMARY.md`, and without one by its folders. */
export function navigationOf(
  config: SpaceConfig,
  contents: readonly ContentsEntry[],
  files: PossiblePages,
): readonly Page[] {
  if (contents.length === 0) return pagesFromFolders(files.all(), config.root);
  return pagesFromSummary(contents, {
    summaryPath: config.summary,
    directory: config.root,
    pageAt: (path) => files.at(path) ?? files.at(path === '' ? 'README.md' : `${path}/README.md`),
    pathOf: (target) => pathOfEntry(target, config),
    publishedPathOf: (file) => publishedPath(file, config),
    groupSlug: (entry) => entry.id ?? gitbookSlug(entry.title),
  });
}

function collect(pages: readonly Page[], paths: Map<string, RepoPath | null>, listed: Set<RepoPath>): void {
  for (const page of pages) {
    if (page.type !== 'link' && !paths.has(page.path)) paths.set(page.path, page.file);
    if (page.file !== null) listed.add(page.file);
    collect(page.pages, paths, listed);
  }
}

/** The folders that groups keep all their pages in, which give a group its address when its title does not. */
function groupFolders(pages: readonly Page[]): readonly string[] {
  return pages.flatMap((page) => {
    const inner = page.type === 'group' ? page.pages.filter((one) => one.type === 'document') : [];
    const own = sharedFolder(inner.map((one) => folderOf(one.path)));
    return [...(own === '' ? [] : [own]), ...groupFolders(page.pages)];
  });
}

function sharedFolder([first = '', ...others]: readonly string[]): string {
  let shared = first;
  while (shared !== '' && !others.every((one) => one === shared || isInside(one, shared)))
    shared = folderOf(shared);
  return shared;
}

/** An entry of the table of contents as a path; null when it leads elsewhere. */
function pathOfEntry(target: string, config: SpaceConfig) {
  const split = splitTarget(config.summary, config.root, target);
  return split === null ? null : { path: split.candidates[0], anchor: split.anchor };
}

/** A page's path in the published space: without its extension; a README stands for its folder, the readme for the space. */
export function publishedPath(file: RepoPath, config: SpaceConfig): string {
  if (file === config.readme || !isInside(file, config.root)) return '';
  const path = pathInside(file, config.root);
  return /(?:^|\/)README\.md$/i.test(path) ? folderOf(path) : path.replace(/\.md$/i, '');
}
