import { type ReadBlobs, untilRead } from '../engine/index.ts';
import {
  type FormatMoves,
  type PublishedFiles,
  type RepositoryFiles,
  repositoryFiles,
} from '../format-port/index.ts';
import {
  type FileFacts,
  MAX_FRONT_MATTER_LENGTH,
  type Page,
  type RepoPath,
  type SpaceAnalysis,
  type TreeEntry,
} from '../model/index.ts';
import { readFrontMatter } from '../parse/index.ts';

/** A repository at one commit, and the analysis of one space in it. */
export interface MoveSide {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly space: SpaceAnalysis;
}

/** The addresses of pages by file, without leading and trailing slashes. */
export async function addressesOf(
  moves: FormatMoves,
  side: MoveSide,
): Promise<ReadonlyMap<RepoPath, string>> {
  return await withFiles(side, (files) => moves.addresses(files));
}

/** Calls `inspect` with the files of a space, repeatedly until all texts that it reads are loaded, and returns its last result. */
export async function withFiles<Result>(
  { tree, read, space }: MoveSide,
  inspect: (files: PublishedFiles) => Result,
): Promise<Result> {
  const pages = pagePaths(space.pages);
  return await untilRead(read, (known) => {
    const repository = repositoryFiles(tree, known);
    const frontMatter = (path: RepoPath) => frontMatterOf(repository, path);
    const result = inspect({ repository, directory: space.directory, pages, frontMatter });
    return async () => result;
  });
}

/** The paths of pages in the navigation, by file. */
export function pagePaths(
  pages: readonly Page[],
  into: Map<RepoPath, string> = new Map(),
): ReadonlyMap<RepoPath, string> {
  for (const page of pages) {
    if (page.file !== null && !into.has(page.file)) into.set(page.file, page.path);
    pagePaths(page.pages, into);
  }
  return into;
}

function frontMatterOf(repository: RepositoryFiles, path: RepoPath): FileFacts['frontMatter'] {
  const text = (repository.text(path) ?? '').slice(0, MAX_FRONT_MATTER_LENGTH);
  const yaml = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  return yaml === undefined ? {} : readFrontMatter(yaml, 2).values;
}
