import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { mails } from './schema/people.ts';

export type MailRow = typeof mails.$inferSelect;

export async function insertMail(db: Db, mail: typeof mails.$inferInsert): Promise<void> {
  await db.insert(mails).values(mail);
}

export async function loadMail(db: Db, id: string): Promise<MailRow | null> {
  const [row] = await db.select().from(mails).where(eq(mails.id, id));
  return row ?? null;
}

/** Records an attempt that failed, after which another one follows. */
export async function recordMailAttempt(db: Db, id: string, problem: string): Promise<void> {
  await db
    .update(mails)
    .set({ problem, attempts: sql`${mails.attempts} + 1` })
    .where(and(eq(mails.id, id), eq(mails.state, 'queued')));
}

/** Records that a mail server took the mail; what it said is deleted. */
export async function recordMailSent(db: Db, id: string, now: Date): Promise<void> {
  await endMail(db, id, { state: 'sent', problem: null, endedAt: now });
}

/** Records that the mail is not sent any more, and why; what it said is deleted. */
export async function recordMailFailed(db: Db, id: string, problem: string, now: Date): Promise<void> {
  await endMail(db, id, { state: 'failed', problem, endedAt: now });
}

/** Records that the mail was never sent, because its reader is not to have it any more; what it said is deleted. */
export async function recordMailWithdrawn(db: Db, id: string, problem: string, now: Date): Promise<void> {
  await endMail(db, id, { state: 'not-sent', problem, endedAt: now });
}

async function endMail(
  db: Db,
  id: string,
  end: Pick<MailRow, 'state' | 'problem' | 'endedAt'>,
): Promise<void> {
  await db
    .update(mails)
    .set({ ...end, sealedValues: null, attempts: sql`${mails.attempts} + 1` })
    .where(and(eq(mails.id, id), eq(mails.state, 'queued')));
}
