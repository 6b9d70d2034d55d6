import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../command.ts';
import { isFolderOnDisk } from './work-tree.ts';

/** A folder or file that the command line names. */
export interface Scope {
  /** As written. */
  readonly said: string;
  /** Absolute, symbolic links resolved. */
  readonly absolute: string;
  /** The folder itself, or the one that holds the file. */
  readonly folder: string;
}

/** Throws `UsageError` when nothing is there. */
export async function locate(said: string, cwd: string): Promise<Scope> {
  const absolute = path.resolve(cwd, said);
  const isFolder = await isFolderOnDisk(absolute, said);
  const real = await realpath(absolute);
  return { said, absolute: real, folder: isFolder ? real : path.dirname(real) };
}

/** The path of a scope below the root, with `/` between segments; '' for the root itself. */
export function insideRoot({ said, absolute }: Pick<Scope, 'said' | 'absolute'>, root: string): string {
  const inside = path.relative(root, absolute).split(path.sep).join('/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside)) {
    throw new UsageError(`${said} is outside ${root}. Name paths of one repository or folder at a time.`);
  }
  return inside;
}

/** Whether a file is one of the named ones, or below one. */
export function isWithin(file: string, scopes: readonly string[]): boolean {
  return scopes.some((one) => one === '' || file === one || file.startsWith(`${one}/`));
}
