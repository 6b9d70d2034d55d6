import { eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { collections, organizations, spaces } from './schema/platform.ts';

/** Where a list goes on that is in the order of positions. */
export interface PositionKey {
  /** A number as PostgreSQL writes it: it may have more digits than a float holds. */
  readonly position: string;
  readonly id: string;
}

/** A space or collection among those of its parent. */
export interface Sibling extends PositionKey {
  readonly type: 'space' | 'collection';
  /** It keeps its place until it is restored or gone. */
  readonly isDeleted: boolean;
}

/** More digits than this come from moving things to the same place over and over. */
const MAX_DIGITS = 100;

/** Takes hold of an organization until the transaction ends, so that no other orders what is in it or names its administrators. */
export async function lockOrganization(db: Db, organizationId: string): Promise<boolean> {
  const rows = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update');
  return rows.length > 0;
}

/** The position after all others of an organization; `ahead` of them when several are placed at once. */
export function positionAtEnd(organizationId: string, ahead: SQL | number = 1): SQL<string> {
  return sql`(
    select floor(coalesce(max(position), 0)) + ${ahead} from (
      select position from ${spaces} where organization_id = ${organizationId}
      union all
      select position from ${collections} where organization_id = ${organizationId}) as placed)`;
}

/** What has a parent (null: stands at the top of the organization), in its order. */
export async function listSiblings(
  db: Db,
  organizationId: string,
  parentId: string | null,
): Promise<readonly Sibling[]> {
  const { rows } = await db.execute(sql`
    select 'space' as type, id, position::text as position, deleted_at is not null as "isDeleted"
    from ${spaces} where organization_id = ${organizationId} and parent_id is not distinct from ${parentId}
    union all
    select 'collection', id, position::text, false
    from ${collections} where organization_id = ${organizationId} and parent_id is not distinct from ${parentId}`);
  return (rows as unknown as Sibling[]).toSorted(byPosition);
}

/** Numbers of any length; no two of one parent are the same. */
function byPosition(one: Sibling, other: Sibling): number {
  const [left, right] = alignDecimals(one.position, other.position);
  if (left !== right) return left < right ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/** Two decimals as whole numbers of the same unit. */
function alignDecimals(one: string, other: string): [bigint, bigint] {
  const [[a = '0', aRest = ''], [b = '0', bRest = '']] = [one.split('.'), other.split('.')];
  const places = Math.max(aRest.length, bRest.length);
  return [BigInt(a + aRest.padEnd(places, '0')), BigInt(b + bRest.padEnd(places, '0'))];
}

/** A position between two neighbours; at the end of the organization when there are none. */
export function positionBetween(
  organizationId: string,
  before: string | null,
  after: string | null,
): SQL<string> {
  if (before !== null && after !== null) return sql`(${before}::numeric + ${after}::numeric) * 0.5`;
  if (before !== null) return sql`floor(${before}::numeric) + 1`;
  if (after !== null) return sql`ceil(${after}::numeric) - 1`;
  return positionAtEnd(organizationId);
}

/** Numbers everything of an organization anew where positions became long. Call it while the organization is held. */
export async function shortenPositions(db: Db, organizationId: string): Promise<void> {
  const { rows } = await db.execute(sql`
    select 1 from (
      select position from ${spaces} where organization_id = ${organizationId}
      union all select position from ${collections} where organization_id = ${organizationId}) as placed
    where scale(position) > ${MAX_DIGITS} limit 1`);
  if (rows.length === 0) return;
  const order = sql`(
    select id, row_number() over (order by position, id) as place from (
      select id, position from ${spaces} where organization_id = ${organizationId}
      union all select id, position from ${collections} where organization_id = ${organizationId}) as placed)`;
  await db.execute(sql`
    with ordered as materialized ${order},
      moved as (update ${spaces} set position = ordered.place from ordered where ${spaces.id} = ordered.id)
    update ${collections} set position = ordered.place from ordered where ${collections.id} = ordered.id`);
}

/** The rows after a key in ascending order, or before it in descending order. */
export function isBeyond(
  columns: { readonly position: AnyPgColumn; readonly id: AnyPgColumn },
  key: PositionKey | null,
  order: 'asc' | 'desc',
): SQL | undefined {
  if (key === null) return undefined;
  const place = sql`(${key.position}::numeric, ${key.id})`;
  return order === 'asc'
    ? sql`(${columns.position}, ${columns.id}) > ${place}`
    : sql`(${columns.position}, ${columns.id}) < ${place}`;
}
