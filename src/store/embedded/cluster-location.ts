import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chooseServerUser, type ServerUser } from './server-user.ts';

/** Where the embedded cluster lives. */
export interface ClusterLocation {
  /** Belongs to the server's user, mode 0700. Everything else is below it, but perhaps the socket. */
  readonly base: string;
  /** Whether `base` is in the data folder. */
  readonly inside: boolean;
  /** PostgreSQL's data folder; it appears whole, by a rename, when the cluster was made. */
  readonly data: string;
  /** The folder of the unix socket. */
  readonly socket: string;
  readonly log: string;
  readonly user: ServerUser;
}

/** `sockaddr_un.sun_path` holds 108 bytes on Linux and 104 on macOS, the closing zero included. */
const socketPathBytes = 103;
const socketName = '/.s.PGSQL.5432';

/** Where root keeps clusters of data folders that the server's user cannot reach, such as those below /root. */
const sharedFolder = '/var/lib/docloom';

/**
 * Makes the folders of the cluster that belongs to `dataDir`, and hands them to the server's user.
 * The same `dataDir` always leads to the same location, so every process of it finds the same server.
 */
export function prepareClusterLocation(dataDir: string): ClusterLocation {
  mkdirSync(dataDir, { recursive: true });
  const home = realpathSync(dataDir);
  let base = join(home, 'postgres');
  const user = chooseServerUser([base, home]);
  if (user.switches && !canReach(home, user) && !openForGroup(home, user)) {
    base = join(sharedFolder, `postgres-${fingerprint(home)}`);
    makeFolder(sharedFolder, 0o755);
  }
  makePrivateFolder(base, user);
  return {
    base,
    inside: base.startsWith(join(home, '/')),
    data: join(base, 'data'),
    socket: makeSocketFolder(base, user),
    log: join(base, 'server.log'),
    user,
  };
}

/**
 * Lets the server's group walk through a data folder that root keeps to itself, as `mkdtemp` makes them. The database
 * then stays where people look for it and save it. Nothing in the folder can be listed or read because of this.
 */
function openForGroup(home: string, user: ServerUser): boolean {
  const { uid, gid, mode } = statSync(home);
  if (uid !== 0 || gid !== 0 || !canReach(dirname(home), user)) return false;
  chownSync(home, uid, user.gid);
  chmodSync(home, (mode & 0o777) | 0o010);
  return true;
}

/** Whether a user may walk down to a folder, judged by owners and modes. */
export function canReach(folder: string, user: ServerUser): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function makeFolder(folder: string, mode: number): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
}

/**
 * Makes a folder that only the server's user can enter, or takes the one that is there. Others may write where it
 * lies, so what we look at and what we change is one open folder, and never a link.
 */
function makePrivateFolder(folder: string, user: ServerUser): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const open = openFolder(folder, user);
  try {
    const { uid } = fstatSync(open);
    if (uid !== user.uid && user.switches && uid === 0) fchownSync(open, user.uid, user.gid);
    else if (uid !== user.uid) throw new Error(describeForeignOwner(folder, user, uid));
    fchmodSync(open, 0o700);
  } finally {
    closeSync(open);
  }
}

function openFolder(folder: string, user: ServerUser): number {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    return openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new Error(describeForeignOwner(folder, user, lstatSync(folder).uid));
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
    throw new Error(
      `${folder} is in the way of the embedded PostgreSQL: it is no folder. Move it elsewhere.`,
    );
  }
}

function describeForeignOwner(folder: string, user: ServerUser, uid: number): string {
  return (
    `${folder} belongs to user id ${uid}, and the embedded PostgreSQL would run as ${user.uid}: ` +
    `run as that user or as root, or give it over with "chown -R ${user.uid} ${folder}".`
  );
}

/** Socket paths are short by law of the system, so a deep data folder gets its socket in the temporary folder. */
function makeSocketFolder(base: string, user: ServerUser): string {
  const inside = join(base, 'run');
  const folder = fits(inside) ? inside : join(shortTemporary(), `docloom-${user.uid}-${fingerprint(base)}`);
  makePrivateFolder(folder, user);
  return folder;
}

function shortTemporary(): string {
  return (
    [tmpdir(), '/tmp'].find((folder) => fits(join(folder, 'docloom-4294967295-0123456789abcdef'))) ?? '/tmp'
  );
}

const fits = (folder: string) => Buffer.byteLength(folder + socketName) <= socketPathBytes;

const fingerprint = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16);
