import { chownSync, existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs';
import { cp, lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../new-id.ts';
import { type ClusterLocation, canReach } from './cluster-location.ts';
import { type Binaries, findBinaries } from './find-binaries.ts';

/** PostgreSQL's programs, and its major version. */
export interface Programs {
  readonly folder: string;
  readonly major: string;
}

/**
 * Finds or creates a folder with PostgreSQL's programs that the server's user can run.
 *
 * That is the installed package, unless the user cannot reach it (packages below /root, a server that runs as nobody) or
 * its libraries lack their symbolic links and we may not write there (installed with `--ignore-scripts`): then it is a copy
 * next to the cluster, one for each version.
 */
export async function provideBinaries(location: ClusterLocation): Promise<Programs> {
  const found = findBinaries();
  const major = String(Number.parseInt(found.version, 10));
  const reachable = !location.user.switches || canReach(join(found.folder, 'bin'), location.user);
  if (reachable && tryLink(found.folder, found)) return { folder: found.folder, major };

  const copy = join(location.base, `binaries-${found.version}`);
  if (!existsSync(copy)) {
    await copyBinaries(found, copy, location);
    await removeOldCopies(location, copy);
  }
  return { folder: copy, major };
}

/** Creates the links that are missing in `lib`. False where that is not allowed. */
function tryLink(folder: string, { links }: Binaries): boolean {
  for (const { name, to } of links) {
    try {
      symlinkSync(to, join(folder, 'lib', name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') return existsSync(join(folder, 'lib', name));
    }
  }
  return true;
}

/** Copies under another name and renames, so that no process runs an incomplete copy. */
async function copyBinaries(found: Binaries, to: string, { user }: ClusterLocation): Promise<void> {
  const draft = `${to}.${newId()}`;
  try {
    await cp(found.folder, draft, { recursive: true, verbatimSymlinks: true });
    tryLink(draft, found);
    if (user.switches) await chownAll(draft, user);
    await rename(draft, to);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(to)) throw error; // otherwise another process was faster
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes copies for versions before the previous one, which may still be running the server, and incomplete copies of
 * processes that were killed.
 */
async function removeOldCopies({ base }: ClusterLocation, newest: string): Promise<void> {
  const others = (await readdir(base))
    .filter((name) => name.startsWith('binaries-') && join(base, name) !== newest)
    .map((name) => ({ path: join(base, name), madeAt: lstatSync(join(base, name)).ctimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt);
  const [drafts, copies] = [others.filter(isDraft), others.filter((copy) => !isDraft(copy))];
  const old = [...copies.slice(1), ...drafts.filter(({ madeAt }) => madeAt < Date.now() - DAY_MS)];
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}

/** Drafts end in a dot and the 20 characters of an id. */
function isDraft({ path }: { readonly path: string }): boolean {
  return /\.[\w-]{20}$/.test(path);
}

async function chownAll(folder: string, user: ClusterLocation['user']): Promise<void> {
  chownSync(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry);
    if (!(await lstat(path)).isSymbolicLink()) chownSync(path, user.uid, user.gid);
  }
}
