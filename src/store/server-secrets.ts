import { eq, sql } from 'drizzle-orm';
import type { Database, Db } from './db.ts';
import { serverSecrets } from './schema/server.ts';
import { type Sealer, tryUnseal } from './sealer.ts';

/** The secrets of the server itself, by name. The names are persisted. */
export type ServerSecretName = 'github-app' | 'service-token' | 'setup-key';

/** Null when there is none. @throws Error when it was sealed with another key. */
export async function loadServerSecret(
  db: Db,
  sealer: Sealer,
  name: ServerSecretName,
): Promise<string | null> {
  const sealed = await loadSealed(db, name);
  return sealed === null ? null : sealer.unseal(sealed);
}

/** Null when there is none that can be read: one that was sealed with a lost key is to be replaced. */
export async function findServerSecret(
  db: Db,
  sealer: Sealer,
  name: ServerSecretName,
): Promise<string | null> {
  const sealed = await loadSealed(db, name);
  return sealed === null ? null : tryUnseal(sealer, sealed);
}

async function loadSealed(db: Db, name: ServerSecretName): Promise<string | null> {
  const [row] = await db
    .select({ sealed: serverSecrets.sealed })
    .from(serverSecrets)
    .where(eq(serverSecrets.name, name));
  return row?.sealed ?? null;
}

/** Stores a secret unless there is one already. Returns whether it was stored; of concurrent callers, one wins. */
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

/** Stores a secret, in place of an earlier one. */
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

/** Changes a stored secret, if there is one; concurrent changes are applied one after the other. */
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

/** Like `hasServerSecret`, and no other transaction can store one until the caller's transaction is complete. */
export async function lockServerSecret(tx: Db, name: ServerSecretName): Promise<boolean> {
  await tx.execute(sql`lock table ${serverSecrets} in share mode`);
  return await hasServerSecret(tx, name);
}

/** Whether a secret is stored, even if it cannot be unsealed. */
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

/** Deletes a secret that works once. Of concurrent callers, one gets true, once its transaction is complete. */
export async function takeServerSecret(tx: Db, name: ServerSecretName): Promise<boolean> {
  const rows = await tx
    .delete(serverSecrets)
    .where(eq(serverSecrets.name, name))
    .returning({ name: serverSecrets.name });
  return rows.length > 0;
}
