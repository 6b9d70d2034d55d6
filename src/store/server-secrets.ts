import { eq, sql } from 'drizzle-orm';
import type { Database, Db } from './db.ts';
import { serverSecrets } from './schema/server.ts';
import type { Sealer } from './sealer.ts';

/** The secrets of the server itself, by name. The names are persisted. */
export type ServerSecretName = 'github-app' | 'setup-key';

/** @throws when it was sealed with a key that is gone. Null when there is none. */
export async function loadServerSecret(
  db: Db,
  sealer: Sealer,
  name: ServerSecretName,
): Promise<string | null> {
  const [row] = await db
    .select({ sealed: serverSecrets.sealed })
    .from(serverSecrets)
    .where(eq(serverSecrets.name, name));
  return row === undefined ? null : sealer.unseal(row.sealed);
}

/** Stores it unless there is one already. Returns whether this one was stored: of several at once, one wins. */
export async function insertServerSecret(
  db: Db,
  sealer: Sealer,
  name: ServerSecretName,
  text: string,
): Promise<boolean> {
  const rows = await db
    .insert(serverSecrets)
    .values({ name, sealed: sealer.seal(text) })
    .onConflictDoNothing()
    .returning({ name: serverSecrets.name });
  return rows.length > 0;
}

/** Stores it, in place of one before. */
export async function upsertServerSecret(
  db: Db,
  sealer: Sealer,
  name: ServerSecretName,
  text: string,
): Promise<void> {
  const sealed = sealer.seal(text);
  await db
    .insert(serverSecrets)
    .values({ name, sealed })
    .onConflictDoUpdate({ target: serverSecrets.name, set: { sealed, updatedAt: sql`now()` } });
}

/** Changes the stored one, where there is one; of several changes each sees the one before. */
export async function updateServerSecret(
  db: Database,
  sealer: Sealer,
  name: ServerSecretName,
  change: (text: string) => string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ sealed: serverSecrets.sealed })
      .from(serverSecrets)
      .where(eq(serverSecrets.name, name))
      .for('update');
    if (row === undefined) return;
    const sealed = sealer.seal(change(sealer.unseal(row.sealed)));
    await tx.update(serverSecrets).set({ sealed, updatedAt: sql`now()` }).where(eq(serverSecrets.name, name));
  });
}

/** Whether there is one, readable or not. Nobody can store one before the caller's transaction ends. */
export async function lockServerSecret(tx: Db, name: ServerSecretName): Promise<boolean> {
  await tx.execute(sql`lock table ${serverSecrets} in share mode`);
  return await hasServerSecret(tx, name);
}

/** Whether there is one, readable or not. */
export async function hasServerSecret(db: Db, name: ServerSecretName): Promise<boolean> {
  const rows = await db
    .select({ name: serverSecrets.name })
    .from(serverSecrets)
    .where(eq(serverSecrets.name, name));
  return rows.length > 0;
}

export async function deleteServerSecret(db: Db, name: ServerSecretName): Promise<void> {
  await db.delete(serverSecrets).where(eq(serverSecrets.name, name));
}
