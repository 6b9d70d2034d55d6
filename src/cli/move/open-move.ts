import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { DetectedSpace, RepositoryAddress } from '../../content/index.ts';
import { openSpaces } from '../check/open-spaces.ts';
import { repositoryAddress } from '../check/repository-address.ts';
import { runLocalGit } from '../check/run-git.ts';
import { insideRoot, nearestPath } from '../check/scopes.ts';
import { openWorkTree, type WorkTree } from '../check/work-tree.ts';
import { type CommandIo, UsageError } from '../command.ts';

/** A move that is possible. */
export interface Move {
  readonly tree: WorkTree;
  readonly spaces: readonly DetectedSpace[];
  /** The repository on its host; null if unknown. */
  readonly repository: RepositoryAddress | null;
  /** Paths from the root of the work tree. */
  readonly from: string;
  readonly to: string;
}

/** Finds what is to be moved and where to, as `mv` does: into `to` when that is a folder. Throws `UsageError`. */
export async function openMove(
  from: string,
  to: string,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
): Promise<Move> {
  const source = await resolveInTree(from, io.cwd);
  if (!(await isThere(source))) {
    const near = await nearestPath(source);
    const hint =
      near === null ? 'Name a page or folder to move.' : `Did you mean ${path.relative(io.cwd, near)}?`;
    throw new UsageError(`${from} does not exist. ${hint}`);
  }
  const wanted = await resolveInTree(to, io.cwd);
  const tree = await openAround(source, wanted, io);
  const inside = insideRoot({ input: from, absolute: source }, tree.root);
  if (inside === '') throw new UsageError(`${from} is the root itself. Name a page or folder in it.`);
  const isSame = await differsInCaseOnly(source, wanted);
  const isInto = !isSame && (to.endsWith('/') || (await isFolder(wanted)));
  if (isInto && (await isThere(wanted)) && !(await isFolder(wanted))) {
    throw new UsageError(`${to} is a file, so nothing can move into it.`);
  }
  const target = isInto ? path.join(wanted, path.basename(source)) : wanted;
  const insideTarget = insideRoot({ input: to, absolute: target }, tree.root);
  if (insideTarget === inside || insideTarget.startsWith(`${inside}/`)) {
    throw new UsageError(`${from} cannot move to ${insideTarget}: that is itself, or inside it.`);
  }
  if ((await isThere(target)) && !(await differsInCaseOnly(source, target)))
    throw new UsageError(`${insideTarget} exists already. Remove it, or choose another name.`);
  if (/(?:^|\/)\.git(?:\/|$)/im.test(`${inside}\n${insideTarget}`))
    throw new UsageError('Nothing moves into or out of .git.');
  await inspectTree(tree, inside, insideTarget, { input: from, signal: io.signal });
  const { spaces } = await openSpaces(tree, null, io.cwd);
  const repository = repositoryAddress(tree.origin, io.env, null);
  return { tree, spaces, repository, from: inside, to: insideTarget };
}

/** Checks that the tree contains what moves and has room for it. Throws `UsageError`. */
async function inspectTree(
  tree: WorkTree,
  from: string,
  to: string,
  { input, signal }: { readonly input: string; readonly signal: AbortSignal },
): Promise<void> {
  const own = tree.entries.filter((entry) => entry.path === from || entry.path.startsWith(`${from}/`));
  if (own.length === 0) throw new UsageError(`${input} contains no file that git sees. Is it ignored?`);
  const submodule = tree.entries.find(
    ({ path: file, mode }) =>
      mode === 'submodule' &&
      (file === from ||
        file.startsWith(`${from}/`) ||
        from.startsWith(`${file}/`) ||
        to.startsWith(`${file}/`)),
  );
  if (submodule !== undefined) {
    throw new UsageError(`${submodule.path} is a submodule. Move it with \`git mv\`, which knows how.`);
  }
  const inFile = tree.entries.find((entry) => to.startsWith(`${entry.path}/`) && entry.mode !== 'submodule');
  if (inFile !== undefined) throw new UsageError(`${inFile.path} is a file, so nothing can move into it.`);
  if (!tree.isGit) return;
  const names = own.map((entry) => to + entry.path.slice(from.length));
  const run = await runLocalGit(
    tree.root,
    ['check-ignore', '--no-index', '-z', '--stdin'],
    signal,
    `${names.join('\0')}\0`,
  );
  const [ignored = ''] = run.code === 0 ? run.stdout.split('\0') : [];
  if (ignored !== '') {
    throw new UsageError(
      `Git ignores ${ignored}, so readers would lose it. Choose a name that is not ignored.`,
    );
  }
}

/** Whether both are one file under names that differ in case or Unicode form, on a disk that treats these as equal. */
async function differsInCaseOnly(source: string, target: string): Promise<boolean> {
  if (source === target || fold(source) !== fold(target)) return false;
  const names: readonly string[] = await readdir(path.dirname(target)).catch(() => []);
  const [sourceStat, targetStat] = await Promise.all(
    [source, target].map((file) => lstat(file).catch(() => null)),
  );
  const isSameFile =
    sourceStat !== null &&
    targetStat !== null &&
    sourceStat?.ino === targetStat?.ino &&
    sourceStat?.dev === targetStat?.dev;
  return isSameFile && !names.includes(path.basename(target));
}

function fold(file: string): string {
  return file.normalize('NFC').toLowerCase();
}

/** The repository that contains the source; without git the current folder, or one that contains both paths. */
async function openAround(
  source: string,
  target: string,
  { cwd, signal }: Pick<CommandIo, 'cwd' | 'signal'>,
): Promise<WorkTree> {
  const start = (await isFolder(source)) ? source : path.dirname(source);
  const around = await openWorkTree(start, signal);
  if (around.isGit) return around;
  let folder = await realpath(cwd);
  if (folder === source) return around;
  while (!contains(folder, source) || !contains(folder, target)) folder = path.dirname(folder);
  if (path.dirname(folder) === folder) {
    throw new UsageError('Nothing says where the docs begin. Go to their folder, or put them into git.');
  }
  return await openWorkTree(folder, signal);
}

function contains(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** An absolute path whose folder has its symbolic links resolved as far as it exists. */
async function resolveInTree(input: string, cwd: string): Promise<string> {
  const absolute = path.resolve(cwd, input);
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
