import type pg from 'pg';
import type { Log } from './log.ts';

/** The advisory lock of the process that does it; the same in all releases. */
const lock = 0x7472676d;

/**
 * Makes the extension `pg_trgm`, and the index that finds similar words with it. It is no migration, because a server may
 * not have the extension, or not let its user make it: then mistyped words are found nowhere, and all else works.
 */
export async function provideTrigrams(pool: pg.Pool, log: Log): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ is_there: boolean }>(
      "select to_regclass('known_words_by_trigrams') is not null as is_there",
    );
    if (rows[0]?.is_there) return;
    await client.query('begin');
    try {
      // Imports write words: who waits for one would let the next ones wait, too.
      await client.query("set local lock_timeout = '3s'");
      await client.query('select pg_advisory_xact_lock($1)', [lock]);
      await client.query('create extension if not exists pg_trgm');
      await client.query(
        'create index if not exists known_words_by_trigrams on known_words using gin (word gin_trgm_ops)',
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      log(
        'Searches of sites do not find mistyped words: the database has no pg_trgm. It is tried again at the next start.',
        {
          error: (error as Error).message,
        },
      );
    }
  } finally {
    client.release();
  }
}
