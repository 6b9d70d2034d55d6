import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '../new-id.ts';
import type { ClusterLocation } from './cluster-location.ts';
import { isAlive } from './postmaster.ts';
import type { Programs } from './provide-binaries.ts';
import { spawnAs } from './server-user.ts';

/** The name of the cluster's only account, and of the database with our tables. */
export const account = 'docloom';

const run = promisify(execFile);

/**
 * Creates the cluster's data folder unless it exists. It is created under another name and renamed when it is complete, so
 * that a crash leaves no incomplete cluster, and of several processes one wins.
 *
 * @throws Error when another major version of PostgreSQL created the folder, or initdb fails.
 */
export async function createCluster(location: ClusterLocation, programs: Programs): Promise<void> {
  if (existsSync(location.data)) return checkVersion(location.data, programs);
  const draft = `${location.data}.new-${process.pid}-${newId()}`;
  try {
    await initialise(draft, location, programs);
    await rename(draft, location.data);
    const folder = await open(location.base);
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!existsSync(location.data)) throw error; // otherwise another process was faster
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeDrafts(location);
}

/** `restrictAccess` decides who may connect, before the server starts. */
async function initialise(
  data: string,
  location: ClusterLocation,
  { folder: binaries }: Programs,
): Promise<void> {
  const options = [
    ...['--pgdata', data, '--username', account, '--auth', 'reject', '--encoding', 'UTF8'],
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...['--data-checksums', '--no-instructions'],
  ];
  try {
    await run(join(binaries, 'bin/initdb'), options, {
      ...spawnAs(location.user),
      cwd: location.base,
      env: serverEnvironment,
      timeout: 120_000,
    });
  } catch (cause) {
    const { stderr } = cause as { stderr?: string };
    if (stderr?.includes('could not look up effective user ID')) {
      throw new Error(
        `The embedded PostgreSQL cannot run as user id ${location.user.uid}, which has no line in /etc/passwd: ` +
          'run as a user that has one, or set DATABASE_URL to a PostgreSQL server.',
      );
    }
    throw new Error(
      `The embedded PostgreSQL could not be set up in ${location.base}: ${findFailureReason(stderr ?? '') ?? (cause as Error).message}`,
      { cause },
    );
  }
}

/** Why initdb failed. Its last lines only report that it removes its files; the error is before them. */
export function findFailureReason(stderr: string): string | null {
  if (/No space left on device/i.test(stderr))
    return 'the disk is full. Free space, or choose another folder with DATA_DIR.';
  const lines = stderr.trim().split('\n');
  return lines.findLast((line) => /\b(error|fatal|panic|could not)\b/i.test(line)) ?? (lines.at(-1) || null);
}

/** Our own environment is not passed on: it contains secrets. */
export const serverEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function checkVersion(data: string, { major }: Programs): void {
  const createdBy = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (createdBy === major) return;
  throw new Error(
    `The database in ${data} was created by PostgreSQL ${createdBy}, and this is ${major}: start version ${createdBy}, ` +
      'dump it with pg_dump, and load it into a new data folder.',
  );
}

/** Removes drafts of processes that were killed. */
async function removeDrafts({ base }: ClusterLocation): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(/^data\.new-(\d+)-/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) await rm(join(base, name), { recursive: true, force: true });
  }
}
