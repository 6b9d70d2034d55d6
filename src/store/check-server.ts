import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './log.ts';

const oldestVersion = 15;

/**
 * Checks that a supported PostgreSQL answers.
 *
 * @param patienceMs how long one that starts, stops or has no connection left is asked again
 * @throws Error with one sentence that has the server's address and what to do, never the password.
 */
export async function checkServer(pool: pg.Pool, url: string, log: Log, patienceMs: number): Promise<void> {
  const until = Date.now() + patienceMs;
  let number: number | null = null;
  while (number === null) {
    try {
      const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
      number = Number(rows[0]?.server_version_num);
    } catch (error) {
      // No cause: a driver's error can contain the connection's options.
      const failure = describeDatabaseFailure(error, url);
      if (!isBusy(error) || Date.now() >= until) throw new Error(failure);
      log('The database is not ready; trying again.', { reason: failure });
      await wait(1_000);
    }
  }
  checkVersion(number, url);
}

/** Whether there is a server, which does not take the connection at this moment: no setting is wrong then. */
function isBusy(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(?:53300|57P0)/.test(error.code ?? '');
  return error instanceof Error && /^(?:Connection terminated|timeout e)/.test(error.message);
}

/** @param number as in `server_version_num`: 150012 is version 15.12. */
export function checkVersion(number: number, url: string): void {
  const major = Math.floor(number / 10_000);
  if (major >= oldestVersion) return;
  throw new Error(
    `The PostgreSQL at ${describeAddress(url)} is version ${major}; Docloom needs ${oldestVersion} or newer.`,
  );
}

/**
 * Checks that a setting is the address of a PostgreSQL.
 *
 * @throws Error without the value, which may contain a password.
 */
export function checkUrl(url: string, setting: string): void {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === 'postgresql:' || protocol === 'postgres:') return;
  throw new Error(`${setting} must have the form postgresql://user:password@host:5432/database.`);
}

/** Reasons by SQLSTATE (PostgreSQL's appendix A) or by the system's error code. */
const reasons: Readonly<Record<string, string>> = {
  '28P01': 'it does not accept the password in DATABASE_URL',
  '28000': 'it does not accept the user of DATABASE_URL',
  '3D000': 'it has no database of that name; create it first',
  '42501': 'the user of DATABASE_URL may not do that there',
  '53300': 'it has no connection left; raise its max_connections',
  '57P03': 'it is starting up or shutting down',
  ECONNREFUSED: 'nothing listens there; start it, or correct DATABASE_URL',
  ENOENT: 'there is no socket',
  ENOTFOUND: 'the host name is unknown; correct DATABASE_URL',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ETIMEDOUT: 'it does not answer',
};

/** Describes in one sentence why the database cannot be used. */
export function describeDatabaseFailure(error: unknown, url: string): string {
  const { code, message } = error as { code?: string; message?: string };
  const reason = (code && reasons[code]) ?? redact(message || code || 'unknown error', url);
  return `The database at ${describeAddress(url)} cannot be used: ${reason}.`;
}

/** Host, port and database of a connection URL. */
export function describeAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const socket = searchParams.get('host');
  return `${socket ?? (port ? `${hostname}:${port}` : hostname)}${pathname}`;
}

function redact(message: string, url: string): string {
  const { password } = new URL(url);
  const secrets = [password, decodeURIComponent(password)].filter((text) => text.length > 0);
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}
