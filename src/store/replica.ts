import { sql } from 'drizzle-orm';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';
import { KEEP_ALIVE } from './create-pool.ts';
import { type Database, openDatabase } from './db.ts';
import { findOutage, READ_ONLY } from './find-outage.ts';
import type { Log } from './log.ts';

/** Reads what was committed before a moment, from a replica where that has it. */
export interface ReplicaReads {
  /** How far the primary is: whatever was read from it before is at this position. */
  position(): Promise<string>;
  /**
   * Runs `work` on the replica if that has everything up to `position`, otherwise on the primary; on the primary once more
   * where the replica goes away meanwhile, or may not do what it is asked.
   */
  read<T>(position: string, work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  /** May contain a password. */
  readonly url: string;
  readonly primary: Database;
  readonly log?: Log;
  /** Called for each read. */
  readonly onRead?: (from: 'replica' | 'primary') => void;
}

/** How long a replica that failed is left alone. */
const REST_MS = 5_000;

/** How long a replica that is behind is waited for; rendering a page takes about as long. */
const WAIT_MS = 50;

/** Opens a streaming replica of the database. It may be away, then and later: everything is read from the primary then. */
export function openReplica({ url, primary, log = () => {}, onRead }: ReplicaOptions): ReplicaReads {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 1_000,
    query_timeout: 10_000,
    ...KEEP_ALIVE,
    application_name: 'docloom replica reads',
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const replica = openDatabase(pool);
  let replayed = 0n;
  let restsUntil = 0;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const { rows } = await pool.query<{ at: string | null }>({
      text: 'select pg_last_wal_replay_lsn()::text as at',
    });
    // Null on a server that replays nothing: it was promoted, or is another database.
    replayed = parsePosition(rows[0]?.at ?? '0/0');
  }

  async function hasReplayed(wanted: bigint): Promise<boolean> {
    if (replayed >= wanted) return true;
    for (const waitMs of [0, WAIT_MS]) {
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
      if (replayed >= wanted) return true;
    }
    return false;
  }

  function leaveAlone(error: unknown): void {
    if (Date.now() >= restsUntil)
      log('The read replica cannot be used at this moment; pages are read from the primary.', {
        reason: (error as Error).message,
      });
    restsUntil = Date.now() + REST_MS;
    // What answers there next may be another server.
    replayed = 0n;
  }

  return {
    async position() {
      const { rows } = await primary.execute<{ at: string }>(
        sql`select pg_current_wal_insert_lsn()::text as at`,
      );
      return rows[0]?.at ?? '0/0';
    },

    async read(position, work) {
      if (Date.now() >= restsUntil) {
        const isThere = await hasReplayed(parsePosition(position)).catch((error: unknown) => {
          leaveAlone(error);
          return false;
        });
        if (isThere) {
          const result = await work(replica).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          if ('value' in result) {
            onRead?.('replica');
            return result.value;
          }
          if (!isOfDatabase(result.error)) throw result.error;
          // The primary says whether it is a failure.
          if (!isRefusedWrite(result.error)) leaveAlone(result.error);
        }
      }
      onRead?.('primary');
      return await work(primary);
    },

    close: () => pool.end(),
  };
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof DrizzleQueryError || findOutage(error)?.kind === 'database';
}

function isRefusedWrite(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as { code?: unknown }).code === READ_ONLY) return true;
  return false;
}

/** A position in the write-ahead log, `16/B374D848`: two numbers of 32 bits in hexadecimal digits. */
function parsePosition(text: string): bigint {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new TypeError(`"${text}" is no position of PostgreSQL.`);
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
