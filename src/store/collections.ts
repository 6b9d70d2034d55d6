import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { type Grant, grantJson, grantsOf } from './grants-of.ts';
import { isBeyond, type PositionKey, positionAtEnd } from './positions.ts';
import { collections, spaces } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

export type CollectionRow = typeof collections.$inferSelect;

/** What decides who may see the content of a collection. */
export type CollectionLevel = Pick<CollectionRow, 'id' | 'parentId' | 'defaultLevel'>;

/** How deep collections may nest; searches upward stop there, too. */
export const MAX_COLLECTION_DEPTH = 16;

export async function loadCollection(db: Db, id: string): Promise<CollectionRow | null> {
  const [row] = await db.select().from(collections).where(eq(collections.id, id));
  return row ?? null;
}

/** The default levels from a collection upward, and what a member was granted in these collections or in one space. */
export async function loadSharing(
  db: Db,
  at: {
    readonly organizationId: string;
    readonly spaceId: string | null;
    readonly collectionId: string | null;
  },
  userId: string,
): Promise<{ readonly levels: readonly CollectionLevel[]; readonly grants: readonly Grant[] }> {
  const { rows } = await db.execute(sql`
    with recursive upward(id, parent_id, level, depth) as (
      select id, parent_id, default_level, 1 from ${collections} where id = ${at.collectionId}
      union all
      select above.id, above.parent_id, above.default_level, upward.depth + 1
      from ${collections} above join upward on above.id = upward.parent_id
      where upward.depth < ${MAX_COLLECTION_DEPTH}
    ) select
      (select coalesce(json_agg(json_build_object('id', id, 'parentId', parent_id, 'defaultLevel', level)
        order by depth), '[]') from upward) as levels,
      (select coalesce(json_agg(${grantJson}), '[]')
        from ${grantsOf(sql`${at.organizationId}`, sql`${userId}`)} granted
        where granted.space_id = ${at.spaceId} or granted.collection_id in (select id from upward)) as grants`);
  return rows[0] as { levels: CollectionLevel[]; grants: Grant[] };
}

/** All collections of an organization, in no order. */
export async function loadCollectionLevels(
  db: Db,
  organizationId: string,
): Promise<readonly CollectionLevel[]> {
  return await db
    .select({
      id: collections.id,
      parentId: collections.parentId,
      defaultLevel: collections.defaultLevel,
    })
    .from(collections)
    .where(eq(collections.organizationId, organizationId));
}

/** The number of collections of an organization, and those after `after` in their order. */
export async function listCollections(
  db: Db,
  organizationId: string,
  options: {
    /** Only those with one of these ids; all when null. */
    readonly ids: readonly string[] | null;
    /** Whether to include those in other collections. */
    readonly nested: boolean;
    readonly after: PositionKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly CollectionRow[] }> {
  const matching = and(
    eq(collections.organizationId, organizationId),
    options.nested ? undefined : isNull(collections.parentId),
    options.ids === null ? undefined : sql`${collections.id} in ${textRows(options.ids)}`,
  );
  const [total] = await db.select({ count: count() }).from(collections).where(matching);
  const rows = await db
    .select()
    .from(collections)
    .where(and(matching, isBeyond(collections, options.after, 'asc')))
    .orderBy(asc(collections.position), asc(collections.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** Inserts a collection at the end of its organization. Call it with the organization locked. */
export async function insertCollection(
  db: Db,
  collection: Pick<CollectionRow, 'id' | 'organizationId' | 'parentId' | 'title'>,
): Promise<CollectionRow> {
  const [row] = await db
    .insert(collections)
    .values({ ...collection, position: positionAtEnd(collection.organizationId) })
    .returning();
  return row as CollectionRow;
}

export async function updateCollection(
  db: Db,
  id: string,
  changes: Partial<Pick<CollectionRow, 'title' | 'description' | 'defaultLevel'>>,
): Promise<CollectionRow | null> {
  const [row] = await db
    .update(collections)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(collections.id, id))
    .returning();
  return row ?? null;
}

/** Moves a collection to another parent in its organization. */
export async function updateCollectionParent(
  db: Db,
  id: string,
  target: { readonly parentId: string | null; readonly position: SQL<string> },
): Promise<void> {
  await db
    .update(collections)
    .set({ ...target, updatedAt: sql`now()` })
    .where(eq(collections.id, id));
}

/**
 * Deletes a collection. Its children, including deleted spaces that can be restored, move to its position in its parent,
 * in their order: before `next`, the position that follows there. Call it with the organization locked.
 */
export async function removeCollection(db: Db, row: CollectionRow, next: string | null): Promise<void> {
  const step =
    next === null
      ? sql`ordered.nth`
      : sql`(${next}::numeric - ${row.position}::numeric) * ordered.nth / (ordered.total + 1)`;
  await db.execute(sql`
    with ordered as materialized (
      select id, row_number() over (order by position, id) as nth, count(*) over () as total from (
        select id, position from ${spaces} where parent_id = ${row.id}
        union all select id, position from ${collections} where parent_id = ${row.id}) as children),
      moved as (
        update ${spaces} set parent_id = ${row.parentId}, position = ${row.position}::numeric + ${step},
          visibility = case when ${row.parentId}::text is null and visibility = 'in-collection' then 'private' else visibility end
        from ordered where ${spaces.id} = ordered.id)
    update ${collections} set parent_id = ${row.parentId}, position = ${row.position}::numeric + ${step}
    from ordered where ${collections.id} = ordered.id`);
  await db.delete(collections).where(eq(collections.id, row.id));
}

/** Moves collections and the spaces in them to the end of another organization. */
export async function transferCollections(
  db: Db,
  rootId: string,
  ids: readonly string[],
  target: { readonly organizationId: string; readonly parentId: string | null },
): Promise<void> {
  const all = textRows(ids);
  await db.execute(sql`
    with behind as materialized (select ${positionAtEnd(target.organizationId, 0)} as position),
      ordered as materialized (
        select id, row_number() over (order by position, id) as nth from (
          select id, position from ${spaces} where parent_id in ${all}
          union all select id, position from ${collections} where id in ${all}) as members),
      moved as (
        update ${spaces} set organization_id = ${target.organizationId}, merge_rules = null, updated_at = now(),
          position = behind.position + ordered.nth
        from ordered, behind where ${spaces.id} = ordered.id)
    update ${collections} set organization_id = ${target.organizationId}, updated_at = now(),
      parent_id = case when ${collections.id} = ${rootId} then ${target.parentId} else parent_id end,
      position = behind.position + ordered.nth
    from ordered, behind where ${collections.id} = ordered.id`);
}
