import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database, Db } from '../db.ts';
import { blobUses } from '../schema/content.ts';

const BATCH = 1_000;

/**
 * Records that a blob is needed now. When this returns, no process deletes the blob for the next hours; before, it waits
 * for one that is deleting it, so that whoever looks then sees that it is gone.
 */
export async function recordBlobUse(db: Db, oid: string): Promise<void> {
  await db
    .insert(blobUses)
    .values({ oid })
    .onConflictDoUpdate({
      target: blobUses.oid,
      set: { neededAt: sql`now()` },
      // The row is locked all the same; without a write for each use, the table does not bloat.
      setWhere: sql`${blobUses.neededAt} < now() - interval '1 hour'`,
    });
}

/** The oids of blobs that were last needed before a moment. */
export async function* listBlobsUnusedSince(db: Db, before: Date): AsyncIterable<string> {
  for (let after = ''; ; ) {
    const rows = await db
      .select({ oid: blobUses.oid })
      .from(blobUses)
      .where(and(lt(blobUses.neededAt, before), gt(blobUses.oid, after)))
      .orderBy(asc(blobUses.oid))
      .limit(BATCH);
    for (const { oid } of rows) yield oid;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.oid ?? after;
  }
}

/** Calls `remove` and deletes the record of a blob, unless it was needed since `before`. Returns whether it was removed. */
export async function deleteUnusedBlob(
  db: Database,
  oid: string,
  before: Date,
  remove: () => Promise<void>,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ neededAt: blobUses.neededAt })
      .from(blobUses)
      .where(eq(blobUses.oid, oid))
      .for('update');
    if (row === undefined || row.neededAt >= before) return false;
    await remove();
    await tx.delete(blobUses).where(eq(blobUses.oid, oid));
    return true;
  });
}
