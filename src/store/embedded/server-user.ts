import { readFileSync, statSync } from 'node:fs';

/** The user that the server runs as. PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  /** Whether this process must switch to that user to start the server. */
  readonly switches: boolean;
}

/**
 * Chooses the server's user: that of this process, unless it is root. For root it is the owner of the first of `folders`
 * that exists and is not root's own, so that a folder stays its creator's; otherwise `docloom` or `nobody` of /etc/passwd.
 */
export function chooseServerUser(folders: readonly string[]): ServerUser {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? uid, switches: false };
  for (const folder of folders) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat && stat.uid !== 0) return { uid: stat.uid, gid: stat.gid, switches: true };
  }
  return {
    ...(findAccount('docloom') ?? findAccount('nobody') ?? { uid: 65534, gid: 65534 }),
    switches: true,
  };
}

/** Options of `spawn` that run a program as the server's user. */
export function spawnAs(user: ServerUser): { uid?: number; gid?: number } {
  return user.switches ? { uid: user.uid, gid: user.gid } : {};
}

function findAccount(name: string): { uid: number; gid: number } | undefined {
  const fields = readAccounts().find(([candidate]) => candidate === name);
  const uid = Number(fields?.[2]);
  const gid = Number(fields?.[3]);
  // macOS lists nobody as -2; the system's uid is the same as an unsigned number.
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0
    ? { uid: uid >>> 0, gid: gid >>> 0 }
    : undefined;
}

/** The name of a user of /etc/passwd. */
export function accountName(uid: number): string | undefined {
  return readAccounts().find((fields) => fields[2] && Number(fields[2]) >>> 0 === uid)?.[0];
}

function readAccounts(): readonly (readonly string[])[] {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return lines.map((line) => line.split(':'));
  } catch {
    return []; // a system without the file: the usual uid of nobody is used
  }
}
