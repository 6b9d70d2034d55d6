import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TreeEntry } from '../../content/index.ts';
import { UsageError } from '../command.ts';

/** A folder on disk seen as a repository's tree. Oids are made from the paths: nothing is read to list it. */
export interface WorkTree {
  /** Absolute, symbolic links resolved. */
  readonly root: string;
  readonly entries: readonly TreeEntry[];
  /** The bytes of a file, or of a symbolic link its target; null when it went away or may not be read. */
  read(entry: TreeEntry): Promise<Uint8Array | null>;
}

/** No folder of documentation has more; the limit ends a walk that was started in the wrong place. */
const MAX_FILES = 500_000;

const run = promisify(execFile);

/** A repository's own settings may name a program for git to run; listing files must not run it. */
const SAFE_GIT = ['-c', 'core.fsmonitor=false'];

/**
 * Opens the work tree around `start` (an absolute folder): with git, what it tracks and what it does not ignore;
 * without, all files below `start` but those of `.git` and `node_modules`.
 */
export async function openWorkTree(start: string, signal: AbortSignal): Promise<WorkTree> {
  const listed = await listWithGit(start, signal);
  const root = listed?.root ?? (await realpath(start));
  const paths = listed?.paths ?? (await walkFolder(root));
  const entries: TreeEntry[] = [];
  const kinds = await statAll(root, paths, listed?.submodules ?? new Set());
  const leftOut = listed?.leftOut ?? new Set<string>();
  for (const [at, found] of paths.entries()) {
    const kind = kinds[at] ?? (leftOut.has(found) ? { mode: 'file' as const } : null);
    if (kind !== null) entries.push({ path: found, oid: pathOid(found), ...kind });
  }
  return { root, entries, read: (entry) => readEntry(root, entry) };
}

interface Listing {
  readonly root: string;
  readonly paths: readonly string[];
  readonly submodules: ReadonlySet<string>;
  /** Tracked, and not on disk because the checkout is sparse: there for links, but not to be read. */
  readonly leftOut: ReadonlySet<string>;
}

/** Null when `start` is in no git work tree, or git is not installed. */
async function listWithGit(start: string, signal: AbortSignal): Promise<Listing | null> {
  const git = async (cwd: string, ...args: string[]) =>
    (await run('git', [...SAFE_GIT, '-C', cwd, ...args], { maxBuffer: 512 * 1024 * 1024, signal })).stdout;
  try {
    const root = (await git(start, 'rev-parse', '--show-toplevel')).replace(/\r?\n$/, '');
    if (root === '') return null;
    const [tracked, others] = await Promise.all([
      git(root, 'ls-files', '-z', '-t', '--stage'),
      git(root, 'ls-files', '-z', '--others', '--exclude-standard'),
    ]);
    const paths = new Set<string>();
    const submodules = new Set<string>();
    const leftOut = new Set<string>();
    for (const record of tracked.split('\0')) {
      const tab = record.indexOf('\t');
      if (tab === -1) continue;
      const file = record.slice(tab + 1);
      paths.add(file);
      // A record is `tag mode oid stage`; the tag S is a file that a sparse checkout leaves out.
      if (record.startsWith('160000 ', 2)) submodules.add(file);
      if (record.startsWith('S ')) leftOut.add(file);
    }
    for (const file of others.split('\0')) if (file !== '' && !file.endsWith('/')) paths.add(file);
    return { root, paths: [...paths].sort(), submodules, leftOut };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

async function walkFolder(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const one of found) {
      const inside = folder === '' ? one.name : `${folder}/${one.name}`;
      if (one.isDirectory()) {
        if (one.name !== '.git' && one.name !== 'node_modules') waiting.push(inside);
      } else if (one.isFile() || one.isSymbolicLink()) {
        paths.push(inside);
      }
    }
    if (paths.length > MAX_FILES) {
      throw new UsageError(
        `${root} holds more than ${MAX_FILES} files. Name the folder of the documentation.`,
      );
    }
  }
  return paths.sort();
}

type Kind = Pick<TreeEntry, 'mode' | 'size'>;

/** What each path is on disk now; null for one that is gone (deleted but not committed) or no file. */
async function statAll(
  root: string,
  paths: readonly string[],
  submodules: ReadonlySet<string>,
): Promise<readonly (Kind | null)[]> {
  const kinds: (Kind | null)[] = [];
  const batch = 256;
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch).map((one) => kindOf(path.join(root, one), submodules.has(one)));
    kinds.push(...(await Promise.all(some)));
  }
  return kinds;
}

async function kindOf(file: string, isSubmodule: boolean): Promise<Kind | null> {
  if (isSubmodule) return { mode: 'submodule' };
  const found = await lstat(file).catch(() => null);
  if (found === null) return null;
  if (found.isSymbolicLink()) return { mode: 'symlink' };
  return found.isFile() ? { mode: 'file', size: found.size } : null;
}

async function readEntry(root: string, entry: TreeEntry): Promise<Uint8Array | null> {
  const file = path.join(root, entry.path);
  try {
    if (entry.mode === 'symlink') return Buffer.from(await readlink(file));
    return await readFile(file);
  } catch {
    return null;
  }
}

function pathOid(file: string): string {
  return createHash('sha1').update(file).digest('hex');
}

/** Whether an absolute path is a folder; throws `UsageError` when nothing is there or it may not be read. */
export async function isFolderOnDisk(absolute: string, said: string): Promise<boolean> {
  try {
    return (await stat(absolute)).isDirectory();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'EPERM') throw new UsageError(`${said} may not be read.`);
    throw new UsageError(`${said} does not exist. Name a folder or file to check.`);
  }
}
