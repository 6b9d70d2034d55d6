import { and, asc, count, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { isBeyond, type PositionKey, positionAtEnd } from './positions.ts';
import { spaces } from './schema/platform.ts';
import { isOfKind, isRestorable, type SpaceKind } from './space-kind.ts';
import { isSelected, type SpaceSelection } from './space-selection.ts';
import { textRows } from './text-rows.ts';

export type SpaceRow = typeof spaces.$inferSelect;

/** The repository of a space's content; see `gitSync` of the table. */
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

/** Those of these spaces that are not deleted, in no order. */
export async function loadLiveSpaces(db: Db, ids: readonly string[]): Promise<readonly SpaceRow[]> {
  if (ids.length === 0) return [];
  return await db
    .select()
    .from(spaces)
    .where(and(sql`${spaces.id} in ${textRows(ids)}`, isNull(spaces.deletedAt)));
}

/**
 * Locks spaces against being deleted, until the transaction is complete, and returns the ids of those that are there. Do it
 * before locking a site: who changes a space locks the space first, too, and then the sites that show it.
 */
export async function lockSpacesForSite(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: spaces.id })
    .from(spaces)
    .where(and(sql`${spaces.id} in ${textRows(ids)}`, isNull(spaces.deletedAt)))
    .orderBy(asc(spaces.id))
    .for('key share');
  return new Set(rows.map(({ id }) => id));
}

/** A space, deleted or not. */
export async function loadAnySpace(db: Db, id: string): Promise<SpaceRow | null> {
  const [row] = await db.select().from(spaces).where(eq(spaces.id, id));
  return row ?? null;
}

/** What decides who may see a space. */
export type SpaceSharing = Pick<SpaceRow, 'id' | 'parentId' | 'visibility' | 'defaultLevel'>;

/** Those of these spaces of an organization that are of this kind, in no order. */
export async function loadSpaceSharing(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  kind: SpaceKind = 'live',
): Promise<readonly SpaceSharing[]> {
  if (ids.length === 0) return [];
  return await db
    .select({
      id: spaces.id,
      parentId: spaces.parentId,
      visibility: spaces.visibility,
      defaultLevel: spaces.defaultLevel,
    })
    .from(spaces)
    .where(
      and(eq(spaces.organizationId, organizationId), sql`${spaces.id} in ${textRows(ids)}`, isOfKind(kind)),
    );
}

/** The number of spaces of an organization, without deleted ones. */
export async function countSpaces(db: Db, organizationId: string): Promise<number> {
  const [total] = await db
    .select({ count: count() })
    .from(spaces)
    .where(and(eq(spaces.organizationId, organizationId), isNull(spaces.deletedAt)));
  return total?.count ?? 0;
}

/** The spaces directly in one of these collections, including deleted ones. */
export async function listSpacesOf(db: Db, collectionIds: readonly string[]): Promise<readonly SpaceRow[]> {
  return await db
    .select()
    .from(spaces)
    .where(sql`${spaces.parentId} in ${textRows(collectionIds)}`);
}

/** The number of spaces of an organization, and those after `after` in their order. */
export async function listSpaces(
  db: Db,
  organizationId: string,
  options: {
    /** Only these; all when null. */
    readonly selection: SpaceSelection | null;
    /** `live` when absent. */
    readonly kind?: SpaceKind;
    /** Only those directly in this collection; all when absent. */
    readonly parentId?: string;
    /** Only those whose title contains it, in any case. */
    readonly title?: string;
    readonly order?: 'asc' | 'desc';
    readonly after: PositionKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly SpaceRow[] }> {
  const { selection, kind = 'live', parentId, title, order = 'asc', after, limit } = options;
  const matching = and(
    eq(spaces.organizationId, organizationId),
    isOfKind(kind),
    parentId === undefined ? undefined : eq(spaces.parentId, parentId),
    title === undefined ? undefined : sql`strpos(lower(${spaces.title}), lower(${title})) > 0`,
    isSelected(selection),
  );
  const by = order === 'asc' ? asc : desc;
  const [total] = await db.select({ count: count() }).from(spaces).where(matching);
  const rows = await db
    .select()
    .from(spaces)
    .where(and(matching, isBeyond(spaces, after, order)))
    .orderBy(by(spaces.position), by(spaces.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** Inserts a space, at the end of its organization where `position` is absent. Call it with the organization locked. */
export async function insertSpace(
  db: Db,
  space: Pick<
    typeof spaces.$inferInsert,
    | 'id'
    | 'organizationId'
    | 'title'
    | 'emoji'
    | 'parentId'
    | 'language'
    | 'visibility'
    | 'editMode'
    | 'defaultLevel'
    | 'mergeRules'
  > & { readonly position?: SQL<string> },
): Promise<SpaceRow> {
  const [row] = await db
    .insert(spaces)
    .values({ ...space, position: space.position ?? positionAtEnd(space.organizationId) })
    .returning();
  return row as SpaceRow;
}

/** Changes the given fields of a space that is not deleted. */
export async function updateSpace(
  db: Db,
  id: string,
  changes: Partial<
    Pick<SpaceRow, 'title' | 'emoji' | 'language' | 'editMode' | 'visibility' | 'defaultLevel' | 'mergeRules'>
  >,
): Promise<SpaceRow | null> {
  const [row] = await db
    .update(spaces)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)))
    .returning();
  return row ?? null;
}

/** Marks a space deleted; it can be restored until it is purged. Returns whether it was not before. */
export async function markSpaceDeleted(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .update(spaces)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)))
    .returning({ id: spaces.id });
  return rows.length > 0;
}

/** Restores a space. Null when there is no such space, or it is not deleted or cannot be restored any more. */
export async function restoreSpace(db: Db, id: string): Promise<SpaceRow | null> {
  const [row] = await db
    .update(spaces)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(and(eq(spaces.id, id), isRestorable()))
    .returning();
  return row ?? null;
}

/** A deleted space that can still be restored. */
export async function loadRestorableSpace(db: Db, id: string): Promise<SpaceRow | null> {
  const [row] = await db
    .select()
    .from(spaces)
    .where(and(eq(spaces.id, id), isRestorable()));
  return row ?? null;
}

/** Moves a space to another parent, in its organization or in another. */
export async function updateSpaceParent(
  db: Db,
  id: string,
  target: Partial<Pick<SpaceRow, 'organizationId' | 'visibility' | 'mergeRules'>> & {
    readonly parentId: string | null;
    readonly position: SQL<string>;
  },
): Promise<SpaceRow | null> {
  const [row] = await db
    .update(spaces)
    .set({ ...target, updatedAt: sql`now()` })
    .where(and(eq(spaces.id, id), isNull(spaces.deletedAt)))
    .returning();
  return row ?? null;
}

/** Makes a revision visible to readers, and records where it came from. */
export async function showRevision(
  db: Db,
  spaceId: string,
  shown: {
    readonly revisionId: string;
    readonly gitSync: GitSync;
    /** The revision that equals the branch; unchanged when absent. */
    readonly syncedRevisionId?: string | undefined;
  },
): Promise<void> {
  await db
    .update(spaces)
    .set({ ...shown, updatedAt: sql`now()` })
    .where(eq(spaces.id, spaceId));
}

/**
 * Locks a space until the transaction is complete, so that no other transaction writes its content, and returns what its
 * content is now. Null when the space is deleted.
 */
export async function lockSpaceForUpdate(
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

/** Records that a revision equals the branch; what readers see stays. */
export async function markSynced(
  db: Db,
  spaceId: string,
  synced: { readonly syncedRevisionId: string; readonly gitSync: GitSync },
): Promise<void> {
  await db.update(spaces).set(synced).where(eq(spaces.id, spaceId));
}

/** Records that a space has no repository; its content stays. */
export async function clearGitSync(db: Db, spaceId: string): Promise<void> {
  await db.update(spaces).set({ gitSync: null, syncedRevisionId: null }).where(eq(spaces.id, spaceId));
}

/** Makes a revision visible to readers. */
export async function setRevision(db: Db, spaceId: string, revisionId: string): Promise<void> {
  await db.update(spaces).set({ revisionId, updatedAt: sql`now()` }).where(eq(spaces.id, spaceId));
}

/** Records that a revision equals the branch, for a space without a repository of its own. */
export async function markContentSynced(db: Db, spaceId: string, revisionId: string): Promise<void> {
  await db.update(spaces).set({ syncedRevisionId: revisionId }).where(eq(spaces.id, spaceId));
}
