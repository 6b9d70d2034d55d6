import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { signInRequests, usedAssertions } from './schema/people.ts';

export type SignInRequestRow = typeof signInRequests.$inferSelect;

/** How long requests are kept after they expired, in hours: until then a late answer is told from an unknown one. */
export const REQUEST_HOURS = 1;

/** Requests that nobody has answered, of one provider: far more than a company begins in ten minutes. */
const MOST_UNANSWERED = 10_000;

/**
 * Records that a browser begins a sign-in. Anybody can begin any number, so requests that expired long ago are deleted,
 * and of those to the same provider the oldest beyond `mostUnanswered` that wait for an answer.
 */
export async function insertSignInRequest(
  db: Db,
  request: typeof signInRequests.$inferInsert,
  mostUnanswered = MOST_UNANSWERED,
): Promise<SignInRequestRow> {
  const [row] = await db.insert(signInRequests).values(request).returning();
  await db.execute(sql`
    delete from ${signInRequests} where hash in (
      select hash from ${signInRequests} where ${hasExpiredLongAgo()} limit 100 for update skip locked)`);
  const { providerId = null } = request;
  const isSame = providerId === null ? sql`provider_id is null` : sql`provider_id = ${providerId}`;
  await db.execute(sql`
    delete from ${signInRequests} where hash in (
      select hash from ${signInRequests} where ${isSame} and used_at is null
      order by created_at desc, hash offset ${mostUnanswered})`);
  return row as SignInRequestRow;
}

/** Condition for requests that nobody needs any more. */
export function hasExpiredLongAgo(): SQL {
  return sql`expires_at < now() - make_interval(hours => ${REQUEST_HOURS})`;
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

/** Stores what a test showed. */
export async function recordTestOutcome(db: Db, hash: string, outcome: object): Promise<void> {
  await db
    .update(signInRequests)
    .set({ outcome })
    .where(and(eq(signInRequests.hash, hash), isNotNull(signInRequests.testedBy)));
}

/** The newest test of a provider that a browser with one of these cookies began, and whose time is not over. */
export async function findOpenTest(
  db: Db,
  test: { readonly providerId: string; readonly browserHashes: readonly string[]; readonly now: Date },
): Promise<SignInRequestRow | null> {
  return await findNewestRequest(db, [
    eq(signInRequests.providerId, test.providerId),
    inArray(signInRequests.browserHash, [...test.browserHashes]),
    isNotNull(signInRequests.testedBy),
    isNull(signInRequests.usedAt),
    gt(signInRequests.expiresAt, test.now),
  ]);
}

/** The newest test of a provider that this user began after a moment. */
export async function findLatestTest(
  db: Db,
  test: { readonly providerId: string; readonly userId: string; readonly since: Date },
): Promise<SignInRequestRow | null> {
  return await findNewestRequest(db, [
    eq(signInRequests.providerId, test.providerId),
    eq(signInRequests.testedBy, test.userId),
    gt(signInRequests.createdAt, test.since),
  ]);
}

async function findNewestRequest(db: Db, conditions: readonly SQL[]): Promise<SignInRequestRow | null> {
  const [row] = await db
    .select()
    .from(signInRequests)
    .where(and(...conditions))
    .orderBy(desc(signInRequests.createdAt))
    .limit(1);
  return row ?? null;
}

/** Stores whom a provider named to whoever links an account there. */
export async function recordLinkOutcome(db: Db, hash: string, outcome: object): Promise<void> {
  await db
    .update(signInRequests)
    .set({ outcome })
    .where(and(eq(signInRequests.hash, hash), isNotNull(signInRequests.linkTo)));
}

/** The newest answer with which this user may link an account at the provider, while its time is not over. */
export async function findAnsweredLink(
  db: Db,
  link: { readonly providerId: string; readonly userId: string; readonly now: Date },
): Promise<SignInRequestRow | null> {
  return await findNewestRequest(db, [
    eq(signInRequests.providerId, link.providerId),
    eq(signInRequests.linkTo, link.userId),
    isNotNull(signInRequests.outcome),
    gt(signInRequests.expiresAt, link.now),
  ]);
}

/** Deletes a request; false when it was deleted before, in whatever process. */
export async function deleteSignInRequest(db: Db, hash: string): Promise<boolean> {
  const rows = await db
    .delete(signInRequests)
    .where(eq(signInRequests.hash, hash))
    .returning({ hash: signInRequests.hash });
  return rows.length > 0;
}

/** Deletes tests that were begun before a moment, with what they showed. */
export async function deleteOldTests(db: Db, before: Date): Promise<void> {
  await db
    .delete(signInRequests)
    .where(and(isNotNull(signInRequests.testedBy), lt(signInRequests.createdAt, before)));
}
