import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command.ts';

/**
 * Creates a data folder with its parent folders, and checks that it is writable.
 *
 * @param path absolute.
 * @param setting what chose the path, such as `DATA_DIR` or `--data-dir`; the error names it.
 * @throws UsageError that says why not and what to do.
 */
export async function prepareFolder(path: string, setting: string): Promise<void> {
  try {
    await makeFolders(path);
    if (!(await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `The data folder ${path} cannot be used: ${reasons[code] ?? message}. Choose another folder with ${setting}, or change this one.`,
    );
  }
}

/** Level by level: Node's own recursive `mkdir` never returns on file systems that refuse new folders with ENOENT, as /proc does. */
async function makeFolders(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || (await exists(parent))) throw error;
    await makeFolders(parent);
    await mkdir(path);
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file is in its place or above it',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'the disk is full',
};
