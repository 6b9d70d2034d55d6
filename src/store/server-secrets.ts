import { eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { serverSecrets } from './schema/server.ts';
import type { Sealer } from './sealer.ts';

/** What a server keeps for itself, by name. The names are persisted. */
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

/** Keeps it unless there is one already. Answers whether this one is kept: of several at once, one wins. */
export async function keepFirstServerSecret(
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

/** Keeps it, in place of one before. */
export async function replaceServerSecret(
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

export async function forgetServerSecret(db: Db, name: ServerSecretName): Promise<void> {
  await db.delete(serverSecrets).where(eq(serverSecrets.name, name));
}
