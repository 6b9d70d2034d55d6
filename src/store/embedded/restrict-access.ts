import { randomUUID } from 'node:crypto';
import { closeSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type ClusterLocation, openOwned } from './cluster-location.ts';
import { account } from './create-cluster.ts';
import { accountName } from './server-user.ts';

const RULES = `local all ${account} peer map=docloom\n`;

/**
 * Lets nobody into the cluster but the user of the server and root, who can read its files anyway. PostgreSQL asks the
 * kernel who is at the other end of the socket (`peer`), so this holds whatever the modes of the socket and its folder are.
 * Returns whether anything changed: then a server that is running has to reload its configuration, which ends no
 * connection. Clusters of earlier releases trusted everybody who reached the socket.
 */
export function restrictAccess(location: ClusterLocation): boolean {
  const hba = join(location.data, 'pg_hba.conf');
  const ident = join(location.data, 'pg_ident.conf');
  const names = new Set([accountName(0) ?? 'root', nameOf(location)]);
  const lines = [...names].flatMap((name) => (name === undefined ? [] : [`docloom "${name}" ${account}\n`]));
  // More lines stay: root may not know the name that another process of the server's user has for itself.
  const lacksNames = lines.some((line) => !read(ident)?.includes(line));
  const trusts = read(hba) !== RULES;
  if (lacksNames) replace(location, ident, lines.join(''));
  if (trusts) replace(location, hba, RULES);
  return lacksNames || trusts;
}

/** Undefined when the system has no name for the user's id. */
function nameOf({ user }: ClusterLocation): string | undefined {
  if (user.switches) return accountName(user.uid);
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole or not at all. */
function replace(location: ClusterLocation, file: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const draft = `${file}.${randomUUID()}`;
  const opened = openOwned(location, draft, O_WRONLY | O_CREAT | O_EXCL);
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
  renameSync(draft, file);
}
