import { eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { serverIdentity } from './schema/server.ts';

/** `secret-key`: which key seals; `blobs`: which database a bucket belongs to. The names are persisted. */
export type IdentityName = 'secret-key' | 'blobs';

/** Returns the recorded value; the first process records its own. */
export async function recordIdentity(db: Db, name: IdentityName, own: string): Promise<string> {
  await db.insert(serverIdentity).values({ name, value: own }).onConflictDoNothing();
  return (await findIdentity(db, name)) ?? own;
}

/** The recorded value; null where no process has recorded one. */
export async function findIdentity(db: Db, name: IdentityName): Promise<string | null> {
  const [row] = await db
    .select({ value: serverIdentity.value })
    .from(serverIdentity)
    .where(eq(serverIdentity.name, name));
  return row?.value ?? null;
}

/** Deletes what was recorded, so that the next process records its own. */
export async function deleteIdentity(db: Db, name: IdentityName): Promise<void> {
  await db.delete(serverIdentity).where(eq(serverIdentity.name, name));
}
