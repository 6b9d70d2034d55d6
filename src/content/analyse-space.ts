import { markdownReading } from './facts/read-facts.ts';
import type { Reading } from './facts/reading.ts';
import type { Format, OpenSpace } from './formats/format.ts';
import type { FormatName } from './formats/index.ts';
import { repositoryFiles } from './formats/repository-files.ts';
import { type JudgeContext, judgeLink } from './links/judge-link.ts';
import { SuggestionBudget } from './links/similar-anchor.ts';
import type {
  FileFacts,
  FileProblem,
  Link,
  Rename,
  RepoPath,
  RepositoryAddress,
  SpaceAnalysis,
  TreeEntry,
} from './model.ts';
import { isInside, isLeftOut, pathInside } from './tree/page-files.ts';
import { treeIndexOf } from './tree/tree-index.ts';

export interface SpaceOptions {
  /** The whole repository's tree: links may lead anywhere in it. */
  readonly tree: readonly TreeEntry[];
  /** The space's folder, '' for the root. */
  readonly directory: string;
  /** The folders of the repository's other spaces; those inside this one are left to them. */
  readonly siblingDirectories?: readonly string[];
  readonly repository?: RepositoryAddress;
  /** Renames that led to this tree, so that a link to an old path is told the new one. */
  readonly renames?: readonly Rename[];
}

export interface AnalyseOptions extends SpaceOptions {
  readonly name: FormatName;
  readonly format: Format;
  /**
   * What a blob says, read in this way; undefined when it was not read, which makes links to its headings unchecked.
   * Asked for the files of `filesToRead` first.
   */
  readonly factsOf: (entry: TreeEntry, reading: Reading) => FileFacts | undefined;
  /** The text of a configuration file; undefined when it was not read. */
  readonly textOf: (entry: TreeEntry) => string | null | undefined;
}

/** Derives one space from a repository's tree: navigation, files, and every link with its verdict. Pure and linear. */
export function analyseSpace(options: AnalyseOptions): SpaceAnalysis {
  const index = treeIndexOf(options.tree);
  const open = openSpace(options);
  const symlinkTarget = (entry: TreeEntry) => options.factsOf(entry, markdownReading)?.symlinkTarget;
  const factsOf = (entry: TreeEntry) => {
    const reading = entry.mode === 'submodule' ? null : open.readingOf(entry.path);
    return reading === null ? undefined : options.factsOf(entry, reading);
  };
  const file = (path: RepoPath) => {
    const located = index.locate(path, symlinkTarget);
    return located.kind === 'file' ? located.entry : null;
  };
  const facts = (path: RepoPath) => {
    const entry = file(path);
    return entry === null ? undefined : factsOf(entry);
  };
  const publication = open.publish({ facts, file });
  const context: JudgeContext = {
    index,
    factsOf,
    symlinkTarget,
    renames: new Map(options.renames?.map(({ from, to }) => [from, to])),
    budget: new SuggestionBudget(),
  };
  const links: Link[] = [];
  for (const entry of open.sources) {
    const rules = publication.rulesOf(entry.path);
    for (const reference of factsOf(entry)?.references ?? []) {
      if (publication.skips?.(entry.path, reference) === true) continue;
      links.push(judgeLink(context, rules, entry.path, reference));
    }
  }
  return {
    directory: options.directory,
    format: options.name,
    pages: publication.pages,
    assets: publication.assets,
    links,
    files: open.sources.map((entry) => entry.path),
    problems: [...open.problems, ...open.sources.flatMap((entry) => problemsOf(entry, factsOf(entry)))],
  };
}

/** Reads a space's configuration. */
export function openSpace(options: Omit<AnalyseOptions, 'factsOf' | 'name'>): OpenSpace {
  const { tree, directory, siblingDirectories = [], repository } = options;
  return options.format.open({
    ...repositoryFiles(tree, options.textOf),
    directory,
    siblings: siblingDirectories.filter((one) => one !== directory),
    entries: entriesOfSpace(tree, directory, siblingDirectories),
    repository,
  });
}

/** The files whose facts an analysis needs first; it asks for more when links lead outside the space. */
export function filesToRead(
  open: OpenSpace,
  tree: readonly TreeEntry[],
): { readonly entry: TreeEntry; readonly reading: Reading }[] {
  const sources = open.sources.flatMap((entry) => {
    const reading = open.readingOf(entry.path);
    return reading === null ? [] : [{ entry, reading }];
  });
  const symlinks = tree.filter((entry) => entry.mode === 'symlink');
  return [...sources, ...symlinks.map((entry) => ({ entry, reading: markdownReading }))];
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

function problemsOf(entry: TreeEntry, facts: FileFacts | undefined): FileProblem[] {
  if (facts === undefined) {
    return [{ file: entry.path, message: 'The file was not read, so its links are not known.', line: null }];
  }
  return facts.problems.map((problem) => ({ ...problem, file: entry.path }));
}
