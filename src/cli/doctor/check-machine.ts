import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Diagnosis, diagnosesOf } from './diagnosis.ts';

/** The version that the package's `engines` require. */
const NEEDED_NODE = [22, 19] as const;
/** From this version on git fetches without the large files: docs/formats and README say the same. */
const FAST_GIT = [2, 37] as const;

const GIB = 1024 ** 3;
const LOW_BYTES = 2 * GIB;
const CRITICAL_BYTES = GIB / 4;

/** Checks the Node that runs this, and the git program. */
export async function checkPrograms(): Promise<readonly Diagnosis[]> {
  const node = diagnosesOf('node');
  const version = process.versions.node;
  const nodeFinding = isAtLeast(version, NEEDED_NODE)
    ? node.ok(`Node ${version}.`)
    : node.fail(
        `Node ${version} is too old.`,
        `Install Node ${NEEDED_NODE.join('.')} or newer, or run npm ci, which brings one.`,
      );
  return [nodeFinding, await checkGit()];
}

async function checkGit(): Promise<Diagnosis> {
  const git = diagnosesOf('git');
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 10_000 });
    const version = /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? 'of an unknown version';
    if (isAtLeast(version, FAST_GIT)) return git.ok(`git ${version}.`);
    return git.warn(
      `git ${version} fetches more than is needed.`,
      `Install git ${FAST_GIT.join('.')} or newer.`,
    );
  } catch {
    return git.warn(
      'There is no git program, so repositories are fetched more slowly and with more memory.',
      `Install git ${FAST_GIT.join('.')} or newer.`,
    );
  }
}

export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [hasMajor = 0, hasMinor = 0] = version.split('.').map(Number);
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

/** Checks DATA_DIR: whether it can be used, and its free space. `exists` is false before the first start. */
export async function checkDataFolder(
  path: string,
): Promise<{ readonly exists: boolean; readonly findings: readonly Diagnosis[] }> {
  const folder = diagnosesOf('data folder');
  const choose =
    'Choose another folder with DATA_DIR, or allow the user that runs Docloom to write to this one.';
  try {
    const exists = await isThere(path);
    if (exists && !(await stat(path)).isDirectory())
      return { exists: false, findings: [folder.fail(`DATA_DIR, ${path}, is a file.`, choose)] };
    const existing = exists ? path : await nearestFolder(path);
    await access(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(existing);
    const message = exists ? `${path} can be written to.` : `${path} is made at the first start.`;
    return { exists, findings: [folder.ok(message), checkFreeSpace(bavail * bsize)] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      exists: false,
      findings: [folder.fail(`DATA_DIR, ${path}, cannot be written to (${code ?? 'unknown'}).`, choose)],
    };
  }
}

export function checkFreeSpace(bytes: number): Diagnosis {
  const disk = diagnosesOf('disk');
  const amount = bytes < GIB ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
  const free = `${amount} are free`;
  const fix = 'Free space there, or lower GIT_CACHE_MB: the cache of repositories grows up to it.';
  if (bytes < CRITICAL_BYTES)
    return disk.fail(`Only ${free} where DATA_DIR is; the database stops when the disk is full.`, fix);
  if (bytes < LOW_BYTES) return disk.warn(`Only ${free} where DATA_DIR is.`, fix);
  return disk.ok(`${free}.`);
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isThere(parent)) ? parent : nearestFolder(parent);
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
