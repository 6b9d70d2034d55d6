import { statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../command.ts';
import type { IndexedFile } from './indexed-file.ts';
import { listCommitted } from './lost-files.ts';
import { readOrigin } from './read-origin.ts';
import { readPlainClone } from './read-plain-clone.ts';
import type { Origin } from './repository-address.ts';
import { type GitRun, runLocalGit } from './run-git.ts';

export interface Listing {
  /** Absolute. */
  readonly root: string;
  /** Tracked files, and null for files that are neither tracked nor ignored. */
  readonly files: ReadonlyMap<string, IndexedFile | null>;
  readonly origin: Origin;
  /** The commit of HEAD; null where there is none yet. */
  readonly commit: string | null;
  /** Folders that git could not read. */
  readonly unlisted: readonly { readonly folder: string; readonly code: string }[];
}

/**
 * The files of the work tree around `start` as git sees them. Null when there is no repository or git is not installed.
 * Throws `UsageError` for a repository that git refuses to read.
 */
export async function listWithGit(
  start: string,
  signal: AbortSignal,
  withStamps: boolean,
): Promise<Listing | null> {
  // Most runs start at the root of an ordinary clone, whose location is known without running git.
  const clone = readPlainClone(start);
  const early = clone === null ? null : listFiles(start, signal, withStamps);
  early?.catch(() => {});
  const indexedMs = clone === null || !withStamps ? 0 : modifiedAt(clone.indexFile);
  const listed = await early;
  if (clone !== null && listed?.code === 0) {
    const { origin, commit, indexFile } = clone;
    const { files, unlisted } = readListed(listed, indexedMs);
    return {
      root: start,
      origin,
      commit,
      files: await withCommitted(start, files, indexFile, signal),
      unlisted,
    };
  }
  return await queryAll(start, signal, withStamps);
}

async function queryAll(start: string, signal: AbortSignal, withStamps: boolean): Promise<Listing | null> {
  const paths = ['--show-toplevel', '--git-path', 'index', '--git-path', 'HEAD'];
  const answer = await runLocalGit(start, ['rev-parse', ...paths], signal);
  const [root = '', indexFile = '', headFile = ''] = answer.stdout.split(/\r?\n/);
  refuseUnreadable(start, answer);
  if (answer.code !== 0 || root === '') return null;
  const indexedMs = withStamps ? modifiedAt(path.resolve(start, indexFile)) : 0;
  const [listed, origin, head] = await Promise.all([
    listFiles(root, signal, withStamps),
    readOrigin(root, path.resolve(start, headFile), signal),
    runLocalGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], signal),
  ]);
  if (listed.code !== 0) return null;
  const commit = head.code === 0 ? head.stdout.trim() : null;
  const { files, unlisted } = readListed(listed, indexedMs);
  const all =
    commit === null ? files : await withCommitted(root, files, path.resolve(start, indexFile), signal);
  return { root, origin, commit, files: all, unlisted };
}

/** Adds the files of HEAD where there is no index. */
async function withCommitted(
  root: string,
  files: Listing['files'],
  indexFile: string,
  signal: AbortSignal,
): Promise<Listing['files']> {
  if (statSync(indexFile, { throwIfNoEntry: false }) !== undefined) return files;
  return new Map<string, IndexedFile | null>([...files, ...(await listCommitted(root, signal))]);
}

/** The tracked files, and those that are neither tracked nor ignored. */
function listFiles(root: string, signal: AbortSignal, withStamps: boolean): Promise<GitRun> {
  const stamps = withStamps ? ['--debug'] : [];
  return runLocalGit(
    root,
    ['ls-files', '-z', '-t', '--stage', ...stamps, '--others', '--exclude-standard'],
    signal,
  );
}

function readListed({ stdout, stderr }: GitRun, indexedMs: number): Pick<Listing, 'files' | 'unlisted'> {
  return { files: readFiles(stdout, indexedMs), unlisted: readUnlisted(stderr) };
}

/** Git reports them only in prose. */
function readUnlisted(stderr: string): Listing['unlisted'] {
  const warnings = stderr.matchAll(/^warning: could not open directory '(.+?)\/?': (.+)$/gm);
  return [...warnings].map(([, folder = '', why = '']) => ({
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
 * Read as a plain folder, a repository that git refuses would include its ignored files. Git has no codes for its
 * reasons, only messages, which are not translated here.
 */
function refuseUnreadable(start: string, { code, stderr }: GitRun): void {
  if (code === 0 || code === null || /not a git repository/i.test(stderr)) return;
  if (stderr.includes('must be run in a work tree')) {
    throw new UsageError(
      `${start} is inside a repository without files to check (a bare one, or .git itself). Name a clone of it.`,
    );
  }
  const reason = /^fatal: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim();
  const remedy = /^[ \t]*(git config --global --add safe\.directory .*)$/m.exec(stderr)?.[1];
  throw new UsageError(
    `git does not read the repository around ${start}: ${reason}.${remedy === undefined ? '' : ` If it is yours, run \`${remedy}\`.`}`,
  );
}

/** Read before git reads it: if it is written in between, files seem newer than they are, and are read again. */
function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * A record is `tag mode oid stage`, a tab and the path; the tag S is a file that a sparse checkout leaves out. With
 * `--debug` the lines of its stamp follow the NUL after the path. The record of an untracked file is the tag `?` and
 * the path.
 */
function readFiles(output: string, indexedMs: number): Map<string, IndexedFile | null> {
  const files = new Map<string, IndexedFile | null>();
  const untracked = new Map<string, IndexedFile | null>();
  for (let at = 0; at < output.length; ) {
    const pathEnd = output.indexOf('\0', at);
    if (pathEnd === -1) break;
    if (output.startsWith('? ', at)) {
      // A repository inside this one, which git would add as a submodule.
      if (output[pathEnd - 1] === '/') untracked.set(output.slice(at + 2, pathEnd - 1), NESTED_REPOSITORY);
      else untracked.set(output.slice(at + 2, pathEnd), null);
      at = pathEnd + 1;
      continue;
    }
    const tab = output.indexOf('\t', at);
    const [tag, mode, oid = '', stage] = output.slice(at, tab).split(' ');
    const hasStamp = output.startsWith('  ctime: ', pathEnd + 1);
    const next = hasStamp ? endOfStamp(output, pathEnd + 1) : pathEnd + 1;
    files.set(output.slice(tab + 1, pathEnd), {
      // A file in conflict has three oids, and none of them is that of the file on disk.
      oid: stage === '0' ? oid : '',
      isSubmodule: mode === '160000',
      isSymlink: mode === '120000',
      leftOut: tag === 'S',
      stamp: hasStamp ? readStamp(output.slice(pathEnd + 1, next), indexedMs) : null,
    });
    at = next;
  }
  for (const [file, found] of untracked) files.set(file, found);
  return files;
}

/** A stamp is five lines. */
function endOfStamp(output: string, start: number): number {
  let end = start;
  for (let line = 0; line < 5; line += 1) {
    const next = output.indexOf('\n', end) + 1;
    if (next === 0) return output.length;
    end = next;
  }
  return end;
}

const STAMP = /^ {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n[^\n]*\n[^\n]*\n {2}size: (\d+)/;

function readStamp(lines: string, indexedMs: number): IndexedFile['stamp'] {
  const found = STAMP.exec(lines);
  if (found === null) return null;
  const [ctime = 0, ctimeNano = 0, mtime = 0, mtimeNano = 0, size = 0] = found.slice(1).map(Number);
  const [ctimeMs, mtimeMs] = [ctime * 1_000 + ctimeNano / 1e6, mtime * 1_000 + mtimeNano / 1e6];
  return { size, mtimeMs, ctimeMs, indexedMs };
}
