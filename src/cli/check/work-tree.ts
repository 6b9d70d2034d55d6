import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FileProblem, Oid, TreeEntry } from '../../content/index.ts';
import { MAX_CONFIG_TEXT_BYTES } from '../../content/model/index.ts';
import { hashOf, objectOid } from '../../git/index.ts';
import { UsageError } from '../command.ts';
import type { IndexedFile } from './indexed-file.ts';
import { listWithGit } from './list-with-git.ts';
import { findAbsentObjects } from './lost-files.ts';
import { ownOid } from './own-oid.ts';
import type { Origin } from './repository-address.ts';
import { TreeSignature } from './tree-signature.ts';
import { UnreadablePaths } from './unreadable-paths.ts';

/** A folder on disk as a repository's tree. */
export interface WorkTree {
  /** Absolute, symbolic links resolved. */
  readonly root: string;
  /** Whether git manages it. */
  readonly isGit: boolean;
  readonly origin: Origin;
  readonly entries: readonly TreeEntry[];
  /**
   * Identifies the files and what git knows of them: two trees of a folder with the same signature can only differ in
   * the bytes of files that have oids of their own. Null where that cannot be guaranteed.
   */
  readonly signature: string | null;
  /** Files and folders that could not be read. */
  readonly problems: readonly FileProblem[];
  /** The bytes of a file, or the target of a symbolic link; null when it disappeared or may not be read. */
  read(entry: TreeEntry): Promise<Uint8Array | null>;
}

export type ExactOids = 'none' | 'pages' | 'all';

export interface OpenOptions {
  /**
   * Which files have the oids that git computes from their bytes; all others have oids of their own. `all`, for a
   * comparison with a commit's tree, and `pages`, to recognize them in the next run, read what is new or changed: `pages`
   * only those files, and small tracked ones. `none` when absent.
   */
  readonly exactOids?: ExactOids;
  /** The folder to use where git manages none: `start` when absent. Absolute. */
  readonly plainFolder?: string;
}

/** No folder of documentation has more; the limit stops a walk that was started in the wrong folder. */
const MAX_FILES = 500_000;

/** Larger files are identified by their path alone. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/**
 * Opens the work tree around `start` (an absolute folder): with git, what it tracks and what it does not ignore;
 * without, all files below `plainFolder` except those of `.git` and `node_modules`.
 */
export async function openWorkTree(
  start: string,
  signal: AbortSignal,
  { exactOids = 'none', plainFolder = start }: OpenOptions = {},
): Promise<WorkTree> {
  const listed = await listWithGit(start, signal, exactOids !== 'none');
  const root = listed?.root ?? (await realpath(plainFolder));
  const unreadable = new UnreadablePaths();
  for (const { folder, code } of listed?.unlisted ?? []) unreadable.add(folder, { code });
  const files = listed?.files ?? new Map((await walkFolder(root, unreadable)).map((file) => [file, null]));
  const entries: TreeEntry[] = [];
  const leftOut = new Set<string>();
  const gone = new Map<string, IndexedFile>();
  const signature = new TreeSignature(listed?.commit ?? null);
  for (const [file, known] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const absolute = path.join(root, file);
    let isLocked = false;
    const found = inspectFile(absolute, known, (error) => {
      unreadable.add(file, error);
      isLocked = (error as NodeJS.ErrnoException).code === 'EACCES';
    });
    if (found === null) {
      // In a folder without read access: git knows that the file exists, so links to it are not broken.
      signature.add(file, known, isLocked ? 'locked' : 'gone');
      if (known !== null && isLocked) entries.push({ path: file, oid: ownOid(), mode: 'file' });
      if (known?.leftOut) {
        leftOut.add(file);
        entries.push(entryInGit(file, known));
      } else if (known !== null && !isLocked) gone.set(file, known);
      continue;
    }
    const oid = exactOids === 'none' ? null : exactOid(absolute, known, found, exactOids);
    entries.push({ path: file, oid: oid ?? ownOid(), mode: found.mode, ...sizeOf(found) });
    signature.add(file, known, `${found.mode} ${found.size} ${oid ?? ''}`);
  }
  const absent = await findAbsentObjects(
    root,
    [...gone.values()].flatMap((known) => oidOf(known) ?? []),
    signal,
  );
  for (const [file, known] of gone) {
    if (!absent.has(known.oid)) continue;
    leftOut.add(file);
    signature.add(file, known, 'absent');
    entries.push(entryInGit(file, known));
  }
  if (absent.size > 0) entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const origin = listed?.origin ?? NO_ORIGIN;
  const { problems } = unreadable;
  const onDisk: WorkTree['read'] = async (entry) => readEntry(root, entry);
  return {
    root,
    isGit: listed !== null,
    origin,
    entries,
    signature: exactOids === 'none' || (listed !== null && listed.commit === null) ? null : signature.text,
    problems,
    read: leftOut.size === 0 ? onDisk : await readLeftOut(leftOut, onDisk, root, signal),
  };
}

function entryInGit(path: string, known: IndexedFile): TreeEntry {
  return { path, oid: oidOf(known) ?? ownOid(), mode: known.isSymlink ? 'symlink' : 'file' };
}

/** Reads what a checkout left out from git, and all else from the disk. */
async function readLeftOut(
  leftOut: ReadonlySet<string>,
  onDisk: WorkTree['read'],
  root: string,
  signal: AbortSignal,
): Promise<WorkTree['read']> {
  const { LeftOutFiles } = await import('./left-out-files.ts');
  const objects = new LeftOutFiles(root, signal);
  return (entry) => (leftOut.has(entry.path) ? objects.read(entry.oid) : onDisk(entry));
}

const NO_ORIGIN: Origin = { url: null, branch: null };

/** Files that take long to read, recognized by their names. */
const PAGE = /\.(?:md|markdown|mdx|mdoc)$/i;

/** The file at a path on disk now. Times in milliseconds since 1970. */
interface Found {
  readonly mode: TreeEntry['mode'];
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

function sizeOf({ mode, size }: Found): Pick<TreeEntry, 'size'> {
  return mode === 'file' ? { size } : {};
}

/**
 * Null for what is not a file, for a path that no longer exists (deleted but not committed), and for an unreadable one,
 * which is passed to `onError`. Synchronous: the system answers sooner than a promise would be created.
 */
function inspectFile(
  file: string,
  known: IndexedFile | null,
  onError: (error: unknown) => void,
): Found | null {
  if (known?.isSubmodule) return { mode: 'submodule', size: 0, mtimeMs: 0, ctimeMs: 0 };
  try {
    const found = lstatSync(file);
    const { size, mtimeMs, ctimeMs } = found;
    if (found.isSymbolicLink()) return { mode: 'symlink', size, mtimeMs, ctimeMs };
    return found.isFile() ? { mode: 'file', size, mtimeMs, ctimeMs } : null;
  } catch (error) {
    onError(error);
    return null;
  }
}

/** The oid that git computes for the file: from the index if the file is certainly unchanged, else from its bytes. */
function exactOid(file: string, known: IndexedFile | null, found: Found, which: ExactOids): Oid | null {
  const indexed = oidOf(known);
  if (known !== null && indexed !== null && isUnchanged(known, found)) return indexed;
  if (found.mode === 'submodule' || found.size > MAX_HASHED_BYTES) return null;
  if (which === 'pages' && found.mode === 'file' && !PAGE.test(file)) {
    // Possibly the settings of a builder.
    if (known === null || found.size > MAX_CONFIG_TEXT_BYTES) return null;
  }
  const bytes = readBytes(file, found.mode);
  if (bytes === null) return null;
  return objectOid('blob', bytes, hashOf(known?.oid ?? ''));
}

function oidOf(known: IndexedFile | null): Oid | null {
  return known === null || known.oid === '' ? null : known.oid;
}

/** Decides as git does: same size and times, and not changed so late that the time could not show it. */
function isUnchanged({ stamp }: IndexedFile, { size, mtimeMs, ctimeMs }: Found): boolean {
  if (stamp === null || stamp.size !== size || mtimeMs >= stamp.indexedMs) return false;
  return isSameTime(stamp.mtimeMs, mtimeMs) && isSameTime(stamp.ctimeMs, ctimeMs);
}

/** Millisecond numbers cannot represent nanoseconds. */
function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.002;
}

async function walkFolder(root: string, unreadable: UnreadablePaths): Promise<readonly string[]> {
  const paths: string[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = await readdir(path.join(root, folder), { withFileTypes: true }).catch(
      (error: unknown) => unreadable.add(folder === '' ? '.' : folder, error) ?? [],
    );
    for (const entry of found) {
      const inside = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(inside);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        paths.push(inside);
      }
    }
    if (paths.length > MAX_FILES) {
      throw new UsageError(
        `${root} contains more than ${MAX_FILES} files. Name the folder of the documentation.`,
      );
    }
  }
  return paths;
}

function readEntry(root: string, entry: TreeEntry): Buffer | null {
  return readBytes(path.join(root, entry.path), entry.mode);
}

/** Null when the file disappeared or may not be read. Synchronous, as `inspectFile` is. */
function readBytes(file: string, mode: TreeEntry['mode']): Buffer | null {
  try {
    return mode === 'symlink' ? Buffer.from(readlinkSync(file)) : readFileSync(file);
  } catch {
    return null;
  }
}
