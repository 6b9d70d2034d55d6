import { eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { answers, claimedIntervals } from './schema/github.ts';

/** The stored answer of a key and its entity tag; null when there is none. */
export async function loadAnswer(
  db: Db,
  key: string,
): Promise<{ readonly etag: string; readonly value: unknown } | null> {
  const [row] = await db
    .update(answers)
    .set({ usedAt: sql`now()` })
    .where(eq(answers.key, key))
    .returning({ etag: answers.etag, value: answers.value });
  return row ?? null;
}

/** Stores an answer, in place of the previous one. */
export async function saveAnswer(db: Db, key: string, etag: string, value: unknown): Promise<void> {
  await db
    .insert(answers)
    .values({ key, etag, value })
    .onConflictDoUpdate({ target: answers.key, set: { etag, value, usedAt: sql`now()` } });
}

/** Deletes all answers: they are of no use to another GitHub App. */
export async function deleteAnswers(db: Db): Promise<void> {
  await db.delete(answers);
}

/** Claims an interval of recurring work for this process. False when one was claimed less than `restMs` ago. */
export async function claimInterval(db: Db, name: string, restMs: number): Promise<boolean> {
  const rows = await db
    .insert(claimedIntervals)
    .values({ name, claimedAt: sql`now()` as never })
    .onConflictDoUpdate({
      target: claimedIntervals.name,
      set: { claimedAt: sql`now()` },
      setWhere: sql`${claimedIntervals.claimedAt} <= now() - ${restMs} * interval '1 ms'`,
    })
    .returning({ name: claimedIntervals.name });
  return rows.length > 0;
}
