import { type CommandIo, UsageError } from '../command.ts';
import { insideRoot, locate } from './scopes.ts';
import { type OpenOptions, openWorkTree, type WorkTree } from './work-tree.ts';

/** The work tree around some paths. */
export interface OpenPaths {
  readonly tree: WorkTree;
  /** The paths from the tree's root; '' for the root itself. */
  readonly wanted: readonly string[];
}

/** Opens the work tree that holds the paths, which are relative to the current folder. Throws `UsageError`. */
export async function openPaths(
  paths: readonly string[],
  io: Pick<CommandIo, 'cwd' | 'signal'>,
  options: OpenOptions = {},
): Promise<OpenPaths> {
  const scopes = await Promise.all(paths.map((one) => locate(one, io.cwd)));
  const [first] = scopes;
  if (first === undefined) throw new UsageError('Name a folder or file to check.');
  const tree = await openWorkTree(first.folder, io.signal, options);
  return { tree, wanted: scopes.map((scope) => insideRoot(scope, tree.root)) };
}
