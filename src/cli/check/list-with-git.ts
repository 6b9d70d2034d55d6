import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../command.ts';
import { readOrigin } from './read-origin.ts';
import type { Origin } from './repository-address.ts';
import { type GitRun, runGit } from './run-git.ts';

/** A file as git's index knows it. */
export interface IndexedFile {
  readonly oid: string;
  readonly isSubmodule: boolean;
  readonly isSymlink: boolean;
  /** Tracked, and not on disk because the checkout is sparse. */
  readonly leftOut: boolean;
  /** What the file was when its oid was found; null when that was not asked for. Times in milliseconds since 1970. */
  readonly stamp: { readonly size: number; readonly mtimeMs: number; readonly indexedMs: number } | null;
}

export interface Listing {
  /** Absolute. */
  readonly root: string;
  /** Tracked files, and null for files that are neither tracked nor ignored. */
  readonly files: ReadonlyMap<string, IndexedFile | null>;
  readonly origin: Origin;
  /** Folders that git could not look into. */
  readonly unlisted: readonly { readonly folder: string; readonly code: string }[];
}

/**
 * The files of the work tree around `start` as git sees them. Null when there is none, or git is not installed. Throws
 * `UsageError` where there is a repository that git does not read.
 */
export async function listWithGit(
  start: string,
  signal: AbortSignal,
  withStamps: boolean,
): Promise<Listing | null> {
  const places = ['--show-toplevel', '--git-path', 'index', '--git-path', 'HEAD'];
  const asking = runGit(start, ['rev-parse', ...places], signal);
  // Most runs start at the root, so its files can be listed while git is still asked where that is.
  const early = existsSync(path.join(start, '.git')) ? listFiles(start, signal, withStamps) : null;
  early?.catch(() => {});
  const asked = await asking;
  const [root = '', indexFile = '', headFile = ''] = asked.stdout.split(/\r?\n/);
  refuseUnreadable(start, asked);
  if (asked.code !== 0 || root === '') return null;
  const [[tracked, others], origin, indexedMs] = await Promise.all([
    early !== null && root === start ? early : listFiles(root, signal, withStamps),
    readOrigin(root, path.resolve(start, headFile), signal),
    withStamps ? modifiedAt(path.resolve(start, indexFile)) : 0,
  ]);
  if (tracked.code !== 0 || others.code !== 0) return null;
  const files = new Map<string, IndexedFile | null>();
  readTracked(tracked.stdout, indexedMs, files);
  for (const file of others.stdout.split('\0')) {
    // A repository inside this one: git would take it as a submodule.
    if (file.endsWith('/')) files.set(file.slice(0, -1), NESTED_REPOSITORY);
    else if (file !== '') files.set(file, null);
  }
  return { root, files, origin, unlisted: readUnlisted(others.stderr) };
}

/** The tracked files, and those that are neither tracked nor ignored. */
function listFiles(root: string, signal: AbortSignal, withStamps: boolean): Promise<[GitRun, GitRun]> {
  return Promise.all([
    runGit(root, ['ls-files', '-z', '-t', '--stage', ...(withStamps ? ['--debug'] : [])], signal),
    runGit(root, ['ls-files', '-z', '--others', '--exclude-standard'], signal),
  ]);
}

/** Git tells them in words alone. */
function readUnlisted(stderr: string): Listing['unlisted'] {
  const told = stderr.matchAll(/^warning: could not open directory '(.+?)\/?': (.+)$/gm);
  return [...told].map(([, folder = '', why = '']) => ({
    folder,
    code: why === 'Permission denied' ? 'EACCES' : why === 'File name too long' ? 'ENAMETOOLONG' : why,
  }));
}

const NESTED_REPOSITORY: IndexedFile = {
  oid: '',
  isSubmodule: true,
  isSymlink: false,
  leftOut: false,
  stamp: null,
};

/**
 * Taken as a plain folder, a repository that git refuses would show what it ignores. Git has no codes for its reasons,
 * only words, which are not translated here.
 */
function refuseUnreadable(start: string, { code, stderr }: GitRun): void {
  if (code === 0 || code === null || /not a git repository/i.test(stderr)) return;
  if (stderr.includes('must be run in a work tree')) {
    throw new UsageError(
      `${start} is inside a repository without files to check (a bare one, or .git itself). Name a clone of it.`,
    );
  }
  const said = /^fatal: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim();
  const remedy = /^[ \t]*(git config --global --add safe\.directory .*)$/m.exec(stderr)?.[1];
  throw new UsageError(
    `git does not read the repository around ${start}: ${said}.${remedy === undefined ? '' : ` If it is yours, run \`${remedy}\`.`}`,
  );
}

async function modifiedAt(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? 0;
}

/**
 * A record is `tag mode oid stage`, a tab and the path; the tag S is a file that a sparse checkout leaves out. With
 * `--debug` the lines of its stamp follow behind the NUL that ends the path.
 */
function readTracked(output: string, indexedMs: number, files: Map<string, IndexedFile | null>): void {
  const parts = output.split('\0');
  for (const [at, part] of parts.entries()) {
    const record = part.startsWith('  ctime: ') ? part.slice(endOfStamp(part)) : part;
    const tab = record.indexOf('\t');
    if (tab === -1) continue;
    const [tag, mode, oid = '', stage] = record.slice(0, tab).split(' ');
    files.set(record.slice(tab + 1), {
      // A file in conflict has three oids, and none of them is its own.
      oid: stage === '0' ? oid : '',
      isSubmodule: mode === '160000',
      isSymlink: mode === '120000',
      leftOut: tag === 'S',
      stamp: readStamp(parts[at + 1] ?? '', indexedMs),
    });
  }
}

/** A stamp is five lines. */
function endOfStamp(part: string): number {
  let end = 0;
  for (let line = 0; line < 5; line += 1) end = part.indexOf('\n', end) + 1;
  return end;
}

function readStamp(part: string, indexedMs: number): IndexedFile['stamp'] {
  if (!part.startsWith('  ctime: ')) return null;
  const lines = part.slice(0, endOfStamp(part));
  const [, seconds, nanoseconds] = /^ {2}mtime: (\d+):(\d+)$/m.exec(lines) ?? [];
  const size = /^ {2}size: (\d+)/m.exec(lines)?.[1];
  if (seconds === undefined || size === undefined) return null;
  return { size: Number(size), mtimeMs: Number(seconds) * 1_000 + Number(nanoseconds) / 1e6, indexedMs };
}
