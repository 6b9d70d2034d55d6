import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';
import { ObjectStoreError } from './blobs/index.ts';

/** Why nothing can be stored or read for now. */
export interface Outage {
  readonly kind: 'database' | 'disk' | 'objects';
  /** One sentence, without addresses and secrets, for whoever called. */
  readonly message: string;
}

const database: Outage = {
  kind: 'database',
  message: 'The database of this server does not answer at this moment; try again in a few seconds.',
};
const readOnlyDatabase: Outage = {
  kind: 'database',
  message:
    'The database of this server takes no changes at this moment, as while a standby takes over; try again in a few seconds.',
};
const disk: Outage = {
  kind: 'disk',
  message: 'The disk of this server is full, so nothing can be stored: free space there, then try again.',
};

function outageOfObjects({ answer }: ObjectStoreError): Outage {
  const what = answer === null ? 'does not answer as it should' : `answered ${answer}`;
  const message = `The object store of this server, which has the bytes of files, ${what}; try again in a few seconds.`;
  return { kind: 'objects', message };
}

/** SQLSTATE of a change where none is possible. */
export const READ_ONLY = '25006';
/** Of SQLSTATE (PostgreSQL's appendix A): no connection, too many of them, and servers that start, stop or crashed. */
const unavailable = /^(?:08|53300|57P0)/;
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Messages of `pg`, whose own errors have no code. */
const lostByDriver =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed)/;

/**
 * Whether an error says that the database or the object store does not answer, or a disk is full; null for any other. Errors of connections to
 * other hosts look alike, so only those count that come from a query, or from opening a connection for a transaction.
 */
export function findOutage(error: unknown): Outage | null {
  let isOfQuery = false;
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 5; depth += 1) {
    const { code = '', syscall } = current as { code?: string; syscall?: string };
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') return disk;
    if (current instanceof ObjectStoreError) return outageOfObjects(current);
    if (current instanceof DrizzleQueryError) isOfQuery = true;
    if (current instanceof pg.DatabaseError && unavailable.test(code)) return database;
    if (current instanceof pg.DatabaseError && code === READ_ONLY) return readOnlyDatabase;
    if (lostByDriver.test(current.message)) return database;
    const isOfConnection = isOfQuery || (depth === 0 && (syscall === 'connect' || syscall === 'read'));
    if (isOfConnection && unreachable.has(code)) return database;
    current = current.cause;
  }
  return null;
}
