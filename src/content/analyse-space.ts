import { type JudgeContext, judgeLink } from './links/judge-link.ts';
import { SuggestionBudget } from './links/similar-anchor.ts';
import type {
  Asset,
  FileFacts,
  Link,
  Page,
  Rename,
  RepoPath,
  RepositoryAddress,
  SpaceAnalysis,
  TreeEntry,
} from './model.ts';
import type { PageFile } from './pages/page-entry.ts';
import { pagesFromFolders } from './pages/pages-from-folders.ts';
import { pagesFromSummary } from './pages/pages-from-summary.ts';
import {
  indexRank,
  isInside,
  isLeftOut,
  isPageFile,
  isSource,
  isSummaryFile,
  pathInside,
} from './tree/page-files.ts';
import { folderOf } from './tree/relative-path.ts';
import { type TreeIndex, treeIndexOf } from './tree/tree-index.ts';

export interface AnalyseOptions {
  /** The whole repository's tree: links may lead anywhere in it. */
  readonly tree: readonly TreeEntry[];
  /** The space's folder, '' for the root. */
  readonly directory: string;
  /** Folders of the repository's other spaces; those inside this one are left to them. */
  readonly siblingDirectories?: readonly string[];
  /** Facts of a blob of `filesToRead`; undefined when it was not read, which makes links to its headings unchecked. */
  readonly factsOf: (oid: string, path: RepoPath) => FileFacts | undefined;
  readonly repository?: RepositoryAddress;
  /** Renames that led to this tree, so that a link to an old path is told the new one. */
  readonly renames?: readonly Rename[];
}

/** Derives one space from a repository's tree: navigation, files, and every link with its verdict. Pure and linear. */
export function analyseSpace(options: AnalyseOptions): SpaceAnalysis {
  const { tree, directory } = options;
  const index = treeIndexOf(tree);
  const factsOf = (entry: TreeEntry) => options.factsOf(entry.oid, entry.path);
  const entries = entriesOfSpace(tree, directory, options.siblingDirectories ?? []);
  const sources = entries.filter((entry) => isSource(entry, directory));
  return {
    directory,
    format: 'github',
    pages: buildPages(index, entries, directory, factsOf),
    assets: entries.filter((entry) => !isPageFile(entry.path)).map(toAsset),
    links: judgeAll(options, index, sources, factsOf),
    problems: sources.flatMap((entry) => problemsOf(entry, factsOf(entry))),
  };
}

function entriesOfSpace(
  tree: readonly TreeEntry[],
  directory: string,
  siblings: readonly string[],
): readonly TreeEntry[] {
  const inner = siblings.filter((one) => one !== directory && isInside(one, directory));
  return tree.filter(
    ({ path, mode }) =>
      mode !== 'submodule' &&
      isInside(path, directory) &&
      !isLeftOut(pathInside(path, directory)) &&
      !inner.some((one) => isInside(path, one)),
  );
}

function judgeAll(
  options: AnalyseOptions,
  index: TreeIndex,
  sources: readonly TreeEntry[],
  factsOf: JudgeContext['factsOf'],
): readonly Link[] {
  const context: JudgeContext = {
    index,
    factsOf,
    indexPageOf: (folder) => indexPages(options.tree).get(folder) ?? null,
    repository: options.repository,
    renames: new Map(options.renames?.map(({ from, to }) => [from, to])),
    budget: new SuggestionBudget(),
  };
  const links: Link[] = [];
  for (const entry of sources) {
    for (const reference of factsOf(entry)?.references ?? []) {
      links.push(judgeLink(context, entry.path, reference));
    }
  }
  return links;
}

function buildPages(
  index: TreeIndex,
  entries: readonly TreeEntry[],
  directory: string,
  factsOf: JudgeContext['factsOf'],
): readonly Page[] {
  const files = new Map<RepoPath, PageFile>();
  for (const entry of entries) {
    if (!isPageFile(entry.path) || isSummaryFile(entry.path)) continue;
    const located = index.locate(entry.path, (link) => factsOf(link)?.symlinkTarget);
    // A symbolic link to a page is a page of its own, with the other's text.
    if (located.kind !== 'file' || !isPageFile(located.entry.path)) continue;
    files.set(entry.path, { path: entry.path, oid: located.entry.oid, facts: factsOf(located.entry) });
  }
  const summary = entries.find(
    (entry) => isSummaryFile(entry.path) && folderOf(entry.path) === directory && entry.mode !== 'symlink',
  );
  const contents = summary === undefined ? null : (factsOf(summary)?.contents ?? null);
  if (summary === undefined || contents === null || contents.length === 0) {
    return pagesFromFolders([...files.values()], directory);
  }
  const folderPages = bestIndexFiles(files.keys());
  return pagesFromSummary(contents, {
    summaryPath: summary.path,
    directory,
    pageAt: (path) => files.get(path) ?? files.get(folderPages.get(path) ?? '') ?? null,
  });
}

const indexPagesOf = new WeakMap<readonly TreeEntry[], ReadonlyMap<RepoPath, RepoPath>>();

function indexPages(tree: readonly TreeEntry[]): ReadonlyMap<RepoPath, RepoPath> {
  let pages = indexPagesOf.get(tree);
  if (pages === undefined) {
    pages = bestIndexFiles(tree.filter((entry) => entry.mode !== 'submodule').map((entry) => entry.path));
    indexPagesOf.set(tree, pages);
  }
  return pages;
}

/** Folder → its README or index file. */
function bestIndexFiles(paths: Iterable<RepoPath>): Map<RepoPath, RepoPath> {
  const best = new Map<RepoPath, RepoPath>();
  for (const path of paths) {
    const rank = indexRank(path);
    if (rank === null) continue;
    const folder = folderOf(path);
    const known = best.get(folder);
    if (known === undefined || rank < (indexRank(known) ?? 9)) best.set(folder, path);
  }
  return best;
}

function toAsset({ path, oid, size }: TreeEntry): Asset {
  return { path, oid, size: size ?? null };
}

function problemsOf(entry: TreeEntry, facts: FileFacts | undefined) {
  if (facts === undefined) {
    return [{ file: entry.path, message: 'The file was not read, so its links are not known.', line: null }];
  }
  return facts.problems.map((problem) => ({ ...problem, file: entry.path }));
}
