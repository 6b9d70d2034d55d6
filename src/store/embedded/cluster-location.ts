import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
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
import { DATA_FOLDERS } from '../data-folders.ts';
import { chooseServerUser, type ServerUser } from './server-user.ts';

/** The folders of the embedded cluster. */
export interface ClusterLocation {
  /** Belongs to the server's user, mode 0700. Contains everything else, except possibly the socket. */
  readonly base: string;
  /** Whether `base` is in the data folder. */
  readonly inside: boolean;
  /** PostgreSQL's data folder; a rename puts it there when it is complete. */
  readonly data: string;
  /** The folder of the unix socket. */
  readonly socket: string;
  readonly log: string;
  readonly user: ServerUser;
}

/** `sockaddr_un.sun_path` has 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const socketPathBytes = 103;
const socketName = '/.s.PGSQL.5432';

/** Contains, for root, the clusters of data folders that the server's user cannot reach, such as those below /root. */
const sharedFolder = '/var/lib/docloom';

/**
 * Creates the folders of the cluster that belongs to `dataDir`, owned by the server's user. The same `dataDir` always leads
 * to the same location, so all its processes find the same server.
 */
export function prepareClusterLocation(dataDir: string): ClusterLocation {
  mkdirSync(dataDir, { recursive: true });
  const home = realpathSync(dataDir);
  let base = join(home, DATA_FOLDERS.postgres);
  const user = chooseServerUser([base, home]);
  if (user.switches && !canReach(home, user) && !openForGroup(home, user)) {
    base = sharedBase(home);
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

/** Whether `dataDir` has an embedded cluster. Creates nothing. */
export function hasCluster(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  const home = realpathSync(dataDir);
  return [join(home, DATA_FOLDERS.postgres), sharedBase(home)].some((base) => existsSync(join(base, 'data')));
}

function sharedBase(home: string): string {
  return join(sharedFolder, `postgres-${fingerprint(home)}`);
}

/**
 * Lets the server's group traverse a data folder that only root can enter, such as one created by `mkdtemp`. The database
 * then stays where administrators expect it and back it up. Nothing in the folder becomes listable or readable.
 */
function openForGroup(home: string, user: ServerUser): boolean {
  const { uid, gid, mode } = statSync(home);
  if (uid !== 0 || gid !== 0 || !canReach(dirname(home), user)) return false;
  chownSync(home, uid, user.gid);
  chmodSync(home, (mode & 0o777) | 0o010);
  return true;
}

/** Whether a user may traverse all folders down to a folder, by their owners and modes. */
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
 * Creates a folder that only the server's user can enter, or uses the existing one. Other users may be able to write to
 * its parent, so it is checked and changed through one file descriptor, and never through a symbolic link.
 */
function makePrivateFolder(folder: string, user: ServerUser): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const descriptor = openFolder(folder, user);
  try {
    const { uid } = fstatSync(descriptor);
    if (uid !== user.uid && user.switches && uid === 0) fchownSync(descriptor, user.uid, user.gid);
    else if (uid !== user.uid) throw new Error(describeForeignOwner(folder, user, uid));
    fchmodSync(descriptor, 0o700);
  } finally {
    closeSync(descriptor);
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
    throw new Error(`${folder} must be a folder for the embedded PostgreSQL, but is not: move it elsewhere.`);
  }
}

function describeForeignOwner(folder: string, user: ServerUser, uid: number): string {
  return (
    `${folder} belongs to user id ${uid}, and the embedded PostgreSQL would run as ${user.uid}: ` +
    `run as that user or as root, or change its owner with "chown -R ${user.uid} ${folder}".`
  );
}

/** The system limits the length of socket paths, so a deep data folder has its socket in the temporary folder. */
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

/**
 * Opens a file of the cluster's folder, or creates it for the server's user. The folder belongs to that user, so root must
 * not follow symbolic links in it.
 */
export function openOwned({ user }: ClusterLocation, file: string, flags: number): number {
  const opened = openSync(file, flags | constants.O_NOFOLLOW, 0o600);
  if (user.switches) fchownSync(opened, user.uid, user.gid);
  return opened;
}
