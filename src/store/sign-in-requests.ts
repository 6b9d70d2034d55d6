import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Db } from './db.ts';
import { signInRequests, usedAssertions } from './schema/people.ts';

export type SignInRequestRow = typeof signInRequests.$inferSelect;

export async function insertSignInRequest(
  db: Db,
  request: typeof signInRequests.$inferInsert,
): Promise<void> {
  await db.insert(signInRequests).values(request);
}

/** The request with this hash; null for one that nobody made, or that was made too long ago and deleted. */
export async function findSignInRequest(db: Db, hash: string): Promise<SignInRequestRow | null> {
  const [row] = await db.select().from(signInRequests).where(eq(signInRequests.hash, hash));
  return row ?? null;
}

/** Uses a request up; false when it was used before, in whatever process, or is over. */
export async function useSignInRequest(db: Db, hash: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(signInRequests)
    .set({ usedAt: now })
    .where(
      and(eq(signInRequests.hash, hash), isNull(signInRequests.usedAt), gt(signInRequests.expiresAt, now)),
    )
    .returning({ hash: signInRequests.hash });
  return rows.length > 0;
}

/** Records that an assertion signs somebody in; false when it did before, in whatever process. */
export async function useAssertion(
  db: Db,
  assertion: { readonly providerId: string; readonly assertionId: string; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await db
    .insert(usedAssertions)
    .values(assertion)
    .onConflictDoNothing()
    .returning({ id: usedAssertions.assertionId });
  return rows.length > 0;
}
