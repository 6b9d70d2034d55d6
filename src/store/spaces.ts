import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { AgeKey } from './organizations.ts';
import { spaces } from './schema/platform.ts';

export type SpaceRow = typeof spaces.$inferSelect;

/** What is known of a space's repository; see `gitSync` of the table. */
export interface GitSync {
  readonly repoName?: string;
  readonly installationProvider?: string;
  readonly url?: string;
  readonly updatedAt: string;
}

/** A space that is not deleted. */
export async function loadSpace(db: Db, id: string): Promise<SpaceRow | null> {
  const [row] = await db
    .select()
    .from(spaces)
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)));
  return row ?? null;
}

/** Also a deleted one. */
export async function loadAnySpace(db: Db, id: string): Promise<SpaceRow | null> {
  const [row] = await db.select().from(spaces).where(eq(spaces.id, id));
  return row ?? null;
}

/** How many spaces an organization has, and those after `after`, oldest first. */
export async function listSpaces(
  db: Db,
  organizationId: string,
  options: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly SpaceRow[] }> {
  const inOrganization = and(eq(spaces.organizationId, organizationId), isNull(spaces.deletedAt));
  const [total] = await db.select({ count: count() }).from(spaces).where(inOrganization);
  const rows = await db
    .select()
    .from(spaces)
    .where(
      and(
        inOrganization,
        options.after
          ? sql`(${spaces.createdAt}, ${spaces.id}) > (${options.after.createdAt.toISOString()}::timestamptz, ${options.after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(spaces.createdAt), asc(spaces.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

export async function insertSpace(
  db: Db,
  space: Pick<
    typeof spaces.$inferInsert,
    'id' | 'organizationId' | 'title' | 'emoji' | 'parentId' | 'language' | 'editMode'
  >,
): Promise<SpaceRow> {
  const [row] = await db.insert(spaces).values(space).returning();
  return row as SpaceRow;
}

/** Changes the given fields of a space that is not deleted. */
export async function updateSpace(
  db: Db,
  id: string,
  changes: Partial<Pick<SpaceRow, 'title' | 'emoji' | 'language' | 'editMode' | 'defaultLevel'>>,
): Promise<SpaceRow | null> {
  const [row] = await db
    .update(spaces)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)))
    .returning();
  return row ?? null;
}

/** Marks a space deleted; it stays restorable until it is purged. */
export async function markSpaceDeleted(db: Db, id: string): Promise<void> {
  await db
    .update(spaces)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)));
}

/** Makes a revision the one that readers see, and notes where it came from. */
export async function showRevision(
  db: Db,
  spaceId: string,
  shown: {
    readonly revisionId: string;
    readonly gitSync: GitSync;
    /** The revision that is the same as the branch; left as it is when absent. */
    readonly syncedRevisionId?: string | undefined;
  },
): Promise<void> {
  await db
    .update(spaces)
    .set({ ...shown, updatedAt: sql`now()` })
    .where(eq(spaces.id, spaceId));
}

/**
 * Takes hold of a space until the transaction ends, so that no other writes its content meanwhile, and answers what is
 * its content now. Null when the space is deleted.
 */
export async function holdSpace(
  db: Db,
  id: string,
): Promise<Pick<SpaceRow, 'revisionId' | 'idsVersion'> | null> {
  const [row] = await db
    .select({ revisionId: spaces.revisionId, idsVersion: spaces.idsVersion })
    .from(spaces)
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)))
    .for('update');
  return row ?? null;
}

/** Notes that a revision is the same as the branch; what readers see stays. */
export async function markSynced(
  db: Db,
  spaceId: string,
  synced: { readonly syncedRevisionId: string; readonly gitSync: GitSync },
): Promise<void> {
  await db.update(spaces).set(synced).where(eq(spaces.id, spaceId));
}

/** Makes a revision the one that readers see. */
export async function setRevision(db: Db, spaceId: string, revisionId: string): Promise<void> {
  await db.update(spaces).set({ revisionId, updatedAt: sql`now()` }).where(eq(spaces.id, spaceId));
}
