import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { nearestWord } from '../../content/text/index.ts';
import { UsageError } from '../command.ts';

/** A folder or file that the command line names. */
export interface CheckScope {
  /** As written. */
  readonly input: string;
  /** Absolute, symbolic links resolved. */
  readonly absolute: string;
  /** The folder itself, or the folder of the file. */
  readonly folder: string;
}

/** Throws `UsageError` when the path does not exist or cannot be read. */
export async function locateScope(input: string, cwd: string): Promise<CheckScope> {
  const absolute = path.resolve(cwd, input);
  try {
    const isFolder = (await stat(absolute)).isDirectory();
    const real = await realpath(absolute);
    return { input, absolute: real, folder: isFolder ? real : path.dirname(real) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'EPERM') throw new UsageError(`${input} may not be read.`);
    const near = await nearestPath(absolute);
    const hint =
      near === null ? 'Name a folder or file to check.' : `Did you mean ${path.relative(cwd, near)}?`;
    throw new UsageError(`${input} does not exist. ${hint}`);
  }
}

/** The nearly identical path that does exist where `absolute` does not; null unless it is unambiguous. */
export async function nearestPath(absolute: string): Promise<string | null> {
  const folder = path.dirname(absolute);
  const names = await readdir(folder).catch(() => []);
  const near = nearestWord(path.basename(absolute), names);
  return near === null ? null : path.join(folder, near);
}

/** The deepest common folder of some absolute folders. */
export function commonAncestor(folders: readonly [string, ...string[]]): string {
  let [common] = folders;
  for (const folder of folders) while (!contains(common, folder)) common = path.dirname(common);
  return common;
}

/** Whether an absolute path is the folder itself, or below it. */
function contains(folder: string, absolute: string): boolean {
  return absolute === folder || absolute.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** The path of a scope below the root, with `/` between segments; '' for the root itself. */
export function insideRoot(
  { input, absolute }: Pick<CheckScope, 'input' | 'absolute'>,
  root: string,
): string {
  const inside = path.relative(root, absolute).split(path.sep).join('/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside)) {
    throw new UsageError(`${input} is outside ${root}. Name paths of one repository or folder at a time.`);
  }
  return inside;
}

/** Whether a file is one of the named ones, or below one. */
export function isWithin(file: string, scopes: readonly string[]): boolean {
  return scopes.some((scope) => scope === '' || file === scope || file.startsWith(`${scope}/`));
}
