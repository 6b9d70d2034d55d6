import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { siteVisitorKeys } from './schema/sites.ts';

/** The sealed key that signs visitors' tokens; null before the first one. */
export async function loadVisitorKey(db: Db, siteId: string): Promise<string | null> {
  const [row] = await db
    .select({ sealedKey: siteVisitorKeys.sealedKey })
    .from(siteVisitorKeys)
    .where(and(eq(siteVisitorKeys.siteId, siteId), isNull(siteVisitorKeys.retiredAt)));
  return row?.sealedKey ?? null;
}

/** Makes a key the one that signs, instead of one before. Call it with the site locked. */
export async function replaceVisitorKey(
  db: Db,
  key: { readonly id: string; readonly siteId: string; readonly sealedKey: string },
): Promise<void> {
  await db
    .update(siteVisitorKeys)
    .set({ retiredAt: sql`now()` })
    .where(and(eq(siteVisitorKeys.siteId, key.siteId), isNull(siteVisitorKeys.retiredAt)));
  await db.insert(siteVisitorKeys).values(key);
}
