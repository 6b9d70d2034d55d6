import { type SQL, sql } from 'drizzle-orm';
import type { Database, Db } from './db.ts';
import { knownWords, pages, sections } from './schema/content.ts';

/** Shorter words have too many neighbours, and longer ones are none that people type. In characters. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 40;

/** With two letters that changed places, words of six letters have this much in common. */
const MIN_SIMILARITY = '0.25';

/** Similar words that are looked at: the nearest by their groups of three letters. */
const MAX_SIMILAR = 20;

/** Words that are looked for in the sections each day. */
const CHECKED = 50_000;
const BATCH = 1_000;

/** A condition: whether people may have meant this word. Numbers are meant as they are written. */
export function isCorrectable(word: SQL): SQL {
  return sql`(length(${word}) between ${MIN_LENGTH}::int and ${MAX_LENGTH}::int and ${word} !~ '[0-9]')`;
}

/** Whether the server finds similar words. */
export async function hasTrigrams(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(
    sql`select to_regoperator('%(text,text)') is not null and to_regclass('known_words_by_trigrams') is not null as has`,
  );
  return rows[0]?.has === true;
}

/** Words of any sections that are like one, the most similar first; {@link withinTime}, and where {@link hasTrigrams}. */
export async function findSimilarWords(db: Db, word: string): Promise<readonly string[]> {
  const { rows } = await db.execute<{ word: string }>(sql`
    select word from ${knownWords} where word % ${word} and length(word) between ${word.length - 2}::int and ${word.length + 2}::int
    order by similarity(word, ${word}) desc, word limit ${MAX_SIMILAR}`);
  return rows.map((row) => row.word);
}

/** Words of any sections that contain a text, the shortest first, where {@link hasTrigrams}. */
export async function findWordsWith(db: Db, text: string): Promise<readonly string[]> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await db.execute<{ word: string }>(sql`
    select word from ${knownWords} where word like ${pattern} order by length(word), word limit ${MAX_SIMILAR}`);
  return rows.map((row) => row.word);
}

/** Runs queries about words in a transaction in which each may take so long; null when one took longer. */
export async function withinTime<T>(
  db: Database,
  ms: number,
  work: (tx: Db) => Promise<T>,
): Promise<T | null> {
  try {
    return await db.transaction(
      async (tx) => {
        await tx.execute(sql`
          select set_config('statement_timeout', ${String(ms)}, true),
            set_config('pg_trgm.similarity_threshold', ${MIN_SIMILARITY}, true)`);
        return await work(tx);
      },
      { accessMode: 'read only' },
    );
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    if ((cause?.code ?? code) === '57014') return null;
    throw error;
  }
}

/**
 * Keeps the words those of sections: some of those that were not looked for lately are, and deleted if no section has them.
 * Where there are none, as after an update from 0.1.0, those of all sections are written first. Returns how many were deleted.
 */
export async function refreshKnownWords(db: Db, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  // Words with accents follow when their pages change.
  await db.execute(sql`
    insert into ${knownWords} (word)
    select distinct word from (
      select title as text from ${pages} where sections_id is not null
      union all select concat_ws(' ', heading, body) from ${sections}) as texts,
      regexp_split_to_table(lower(text), '[^[:alnum:]]+') as word
    where not exists (select from ${knownWords}) and word ~ '^[a-z]+$' and ${isCorrectable(sql`word`)}
    order by word
    on conflict do nothing`);
  let removed = 0;
  for (let checked = 0; checked < CHECKED; checked += BATCH) {
    signal.throwIfAborted();
    const { rows } = await db.execute<{ looked: number; removed: number }>(sql`
      with looked as (
        select word, exists (select from ${sections} where words @@ plainto_tsquery('simple', word)) as is_there
        from (
          select word from ${knownWords} where checked_at < now() - interval '1 day'
          order by checked_at, word limit ${BATCH}) as oldest),
      gone as (delete from ${knownWords} using looked where ${knownWords.word} = looked.word and not is_there returning 1),
      kept as (
        update ${knownWords} set checked_at = now() from looked where ${knownWords.word} = looked.word and is_there)
      select (select count(*)::int from looked) as looked, (select count(*)::int from gone) as removed`);
    removed += rows[0]?.removed ?? 0;
    if ((rows[0]?.looked ?? 0) < BATCH) break;
  }
  return removed;
}
