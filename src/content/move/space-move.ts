import { readFrontMatter } from '../facts/front-matter.ts';
import type { RepositoryFiles } from '../formats/format.ts';
import type { ConfigurationChange, FormatMoves, PublishedFiles } from '../formats/format-moves.ts';
import { loadFormatMoves } from '../formats/index.ts';
import { repositoryFiles } from '../formats/repository-files.ts';
import { MAX_FRONT_MATTER_LENGTH } from '../limits.ts';
import type { FileFacts, Page, RepoPath, SpaceAnalysis, TreeEntry } from '../model.ts';
import { type ReadBlobs, untilRead } from '../read-texts.ts';
import { type RedirectChange, redirectPages } from './redirect-pages.ts';

/** A repository at one time, and what it says of one space. */
export interface MoveSide {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly space: SpaceAnalysis;
}

export interface SpaceSides {
  readonly before: MoveSide;
  readonly after: MoveSide;
  /** Where a file or folder stands after the move. */
  readonly moved: (path: RepoPath) => RepoPath;
}

/** What the configuration of a space has to say after a move. Edits are of the files before it. */
export async function configureSpace({ before, after, moved }: SpaceSides): Promise<ConfigurationChange> {
  const moves = await loadFormatMoves(before.space.format);
  if (moves === null) return { edits: [], notes: [] };
  const old = await addressesOf(moves, before);
  const now = await addressesOf(moves, after);
  const addresses = new Map(
    [...old].map(([file, address]) => [file, { before: address, after: now.get(moved(file)) ?? null }]),
  );
  return await withFiles(before, (files) => moves.configure({ ...files, moved, addresses }));
}

/** The redirects from old addresses to new ones. Edits are of the files after the move, with all other changes made. */
export async function redirectSpace({ before, after, moved }: SpaceSides): Promise<RedirectChange> {
  const moves = await loadFormatMoves(before.space.format);
  if (moves === null) return { edits: [], notes: [], added: [] };
  const old = await addressesOf(moves, before);
  const now = await addressesOf(moves, after);
  const table = await withFiles(after, (files) => moves.redirects(files));
  const others = await withFiles(after, (files) => [...(moves.liveAddresses?.(files) ?? [])]);
  return redirectPages({ old, now, others, moved, table });
}

async function addressesOf(moves: FormatMoves, side: MoveSide): Promise<ReadonlyMap<RepoPath, string>> {
  return await withFiles(side, (files) => moves.addresses(files));
}

async function withFiles<Answer>(
  { tree, read, space }: MoveSide,
  ask: (files: PublishedFiles) => Answer,
): Promise<Answer> {
  const pages = new Map<RepoPath, string>();
  collect(space.pages, pages);
  return await untilRead(read, (textOf) => {
    const repository = repositoryFiles(tree, textOf);
    const frontMatter = (path: RepoPath) => frontMatterOf(repository, path);
    const answer = ask({ repository, directory: space.directory, pages, frontMatter });
    return async () => answer;
  });
}

function collect(pages: readonly Page[], into: Map<RepoPath, string>): void {
  for (const page of pages) {
    if (page.file !== null && !into.has(page.file)) into.set(page.file, page.path);
    collect(page.pages, into);
  }
}

function frontMatterOf(repository: RepositoryFiles, path: RepoPath): FileFacts['frontMatter'] {
  const text = (repository.text(path) ?? '').slice(0, MAX_FRONT_MATTER_LENGTH);
  const yaml = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  return yaml === undefined ? {} : readFrontMatter(yaml, 2).values;
}
