import { realpath } from 'node:fs/promises';
import { type CommandIo, UsageError } from '../command.ts';
import { type CheckScope, commonAncestor, insideRoot, locateScope } from './scopes.ts';
import { type OpenOptions, openWorkTree, type WorkTree } from './work-tree.ts';

/** The work tree around some paths. */
export interface OpenPaths {
  readonly tree: WorkTree;
  /** The paths from the tree's root; '' for the root itself. */
  readonly wanted: readonly string[];
}

/**
 * Opens the work tree that contains the paths, which are relative to the current folder. Without git that is their common
 * folder, and for files the current one where it contains them. Throws `UsageError`.
 */
export async function openPaths(
  paths: readonly string[],
  io: Pick<CommandIo, 'cwd' | 'signal'>,
  options: Omit<OpenOptions, 'plainFolder'> = {},
): Promise<OpenPaths> {
  const scopes = await Promise.all(paths.map((path) => locateScope(path, io.cwd)));
  const [first, ...rest] = scopes;
  if (first === undefined) throw new UsageError('Name a folder or file to check.');
  const plainFolder = await folderAround([first, ...rest], io.cwd);
  const tree = await openWorkTree(first.folder, io.signal, { ...options, plainFolder });
  return { tree, wanted: scopes.map((scope) => insideRoot(scope, tree.root)) };
}

/** Links of a file often lead out of its folder, those of a folder that was named seldom do. */
async function folderAround(scopes: readonly [CheckScope, ...CheckScope[]], cwd: string): Promise<string> {
  const [first, ...rest] = scopes.map((scope) => scope.folder) as [string, ...string[]];
  const common = commonAncestor([first, ...rest]);
  if (scopes.every((scope) => scope.absolute === scope.folder)) return common;
  const current = await realpath(cwd);
  return commonAncestor([common, current]) === current ? current : common;
}
