import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { DetectedSpace } from '../../content/index.ts';
import { openSpaces } from '../check/open-spaces.ts';
import { insideRoot } from '../check/scopes.ts';
import { openWorkTree, type WorkTree } from '../check/work-tree.ts';
import { type CommandIo, UsageError } from '../command.ts';

/** A move that can be done. */
export interface Move {
  readonly tree: WorkTree;
  readonly spaces: readonly DetectedSpace[];
  /** Paths from the root of the work tree. */
  readonly from: string;
  readonly to: string;
}

/** Finds what is to be moved and where to, as `mv` does: into `to` when that is a folder. Throws `UsageError`. */
export async function openMove(
  from: string,
  to: string,
  io: Pick<CommandIo, 'cwd' | 'signal'>,
): Promise<Move> {
  const source = await place(from, io.cwd);
  if (!(await isThere(source)))
    throw new UsageError(`${from} does not exist. Name a page or folder to move.`);
  const wanted = await place(to, io.cwd);
  const tree = await openAround(source, wanted, io);
  const inside = insideRoot({ said: from, absolute: source }, tree.root);
  if (inside === '') throw new UsageError(`${from} is the root itself. Name a page or folder in it.`);
  const isInto = to.endsWith('/') || (await isFolder(wanted));
  const target = isInto ? path.join(wanted, path.basename(source)) : wanted;
  const insideTarget = insideRoot({ said: to, absolute: target }, tree.root);
  if (insideTarget === inside || insideTarget.startsWith(`${inside}/`)) {
    throw new UsageError(`${from} cannot move to ${insideTarget}: that is itself, or inside it.`);
  }
  if (await isThere(target))
    throw new UsageError(`${insideTarget} exists already. Take it away, or choose another name.`);
  if (/(?:^|\/)\.git(?:\/|$)/im.test(`${inside}\n${insideTarget}`))
    throw new UsageError('Nothing moves into or out of .git.');
  if (!tree.entries.some((entry) => entry.path === inside || entry.path.startsWith(`${inside}/`))) {
    throw new UsageError(`${from} holds no file that git sees. Is it ignored?`);
  }
  const { spaces } = await openSpaces(tree, null, io.cwd);
  return { tree, spaces, from: inside, to: insideTarget };
}

/** The repository that holds the source; without git the current folder, or one that holds both places. */
async function openAround(
  source: string,
  target: string,
  { cwd, signal }: Pick<CommandIo, 'cwd' | 'signal'>,
): Promise<WorkTree> {
  const tree = await openWorkTree(path.dirname(source), signal);
  if (tree.isGit) return tree;
  let folder = await realpath(cwd);
  while (!holds(folder, source) || !holds(folder, target)) folder = path.dirname(folder);
  return await openWorkTree(folder, signal);
}

function holds(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** An absolute path whose folder has its symbolic links resolved as far as it exists. */
async function place(said: string, cwd: string): Promise<string> {
  const absolute = path.resolve(cwd, said);
  let folder = path.dirname(absolute);
  const rest = [path.basename(absolute)];
  for (;;) {
    try {
      return path.join(await realpath(folder), ...rest);
    } catch {
      if (path.dirname(folder) === folder) return absolute;
      rest.unshift(path.basename(folder));
      folder = path.dirname(folder);
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null;
}

async function isFolder(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null))?.isDirectory() ?? false;
}
