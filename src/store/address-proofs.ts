import { and, count, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Db } from './db.ts';
import { signInLinks } from './schema/people.ts';

/** A secret that was mailed to an address and nowhere else: whoever has it reads mail to the address. */
const PURPOSE = 'invite';

export async function insertAddressProof(
  db: Db,
  proof: {
    readonly hash: string;
    readonly email: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await db.insert(signInLinks).values({ ...proof, purpose: PURPOSE });
}

/** How many of them an address was sent since a moment. */
export async function countAddressProofs(db: Db, email: string, since: Date): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(signInLinks)
    .where(
      and(eq(signInLinks.purpose, PURPOSE), eq(signInLinks.email, email), gt(signInLinks.createdAt, since)),
    );
  return row?.count ?? 0;
}

/** The address that a secret proves; null for one that was used, has expired, or never was. */
export async function findProvedAddress(db: Db, hash: string, now: Date): Promise<string | null> {
  const [row] = await db.select({ email: signInLinks.email }).from(signInLinks).where(isUsable(hash, now));
  return row?.email ?? null;
}

/** The same, and uses it up: of concurrent callers, one gets it. */
export async function useProvedAddress(db: Db, hash: string, now: Date): Promise<string | null> {
  const [row] = await db
    .update(signInLinks)
    .set({ usedAt: now })
    .where(isUsable(hash, now))
    .returning({ email: signInLinks.email });
  return row?.email ?? null;
}

function isUsable(hash: string, now: Date): SQL | undefined {
  return and(
    eq(signInLinks.hash, hash),
    eq(signInLinks.purpose, PURPOSE),
    isNull(signInLinks.usedAt),
    gt(signInLinks.expiresAt, now),
  );
}
