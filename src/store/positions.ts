import { eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { collections, organizations, spaces } from './schema/platform.ts';

/** Where the next page of a list that is ordered by position starts. */
export interface PositionKey {
  /** A number as PostgreSQL writes it, which may have more digits than a float. */
  readonly position: string;
  readonly id: string;
}

/** A space or collection among the children of its parent. */
export interface Sibling extends PositionKey {
  readonly type: 'space' | 'collection';
  /** A deleted space retains its position until it is restored or purged. */
  readonly isDeleted: boolean;
}

/** The maximum number of decimals of a position; more result from moving things to the same position repeatedly. */
const MAX_DIGITS = 100;

/** Locks an organization until the transaction is complete, so that no other changes its order or its administrators. False when there is none. */
export async function lockOrganization(db: Db, organizationId: string): Promise<boolean> {
  const rows = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update');
  return rows.length > 0;
}

/** The position `offset` after the last one of an organization. */
export function positionAtEnd(organizationId: string, offset: SQL | number = 1): SQL<string> {
  return sql`(
    select floor(coalesce(max(position), 0)) + ${offset} from (
      select position from ${spaces} where organization_id = ${organizationId}
      union all
      select position from ${collections} where organization_id = ${organizationId}) as siblings)`;
}

/** The spaces and collections in a parent (null: at the top level of the organization), in their order. */
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

/** Compares positions of any length, which may exceed a float. */
export function byPosition(a: PositionKey, b: PositionKey): number {
  const [left, right] = alignDecimals(a.position, b.position);
  if (left !== right) return left < right ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Two decimals as integers of the same unit. */
function alignDecimals(a: string, b: string): [bigint, bigint] {
  const [[aWhole = '0', aFraction = ''], [bWhole = '0', bFraction = '']] = [a.split('.'), b.split('.')];
  const digits = Math.max(aFraction.length, bFraction.length);
  return [BigInt(aWhole + aFraction.padEnd(digits, '0')), BigInt(bWhole + bFraction.padEnd(digits, '0'))];
}

/** A position between two neighbours, of which either may be absent; at the end of the organization without both. */
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

/** Renumbers everything in an organization where positions have become long. Call it with the organization locked. */
export async function shortenPositions(db: Db, organizationId: string): Promise<void> {
  const { rows } = await db.execute(sql`
    select 1 from (
      select position from ${spaces} where organization_id = ${organizationId}
      union all select position from ${collections} where organization_id = ${organizationId}) as siblings
    where scale(position) > ${MAX_DIGITS} limit 1`);
  if (rows.length === 0) return;
  const order = sql`(
    select id, row_number() over (order by position, id) as nth from (
      select id, position from ${spaces} where organization_id = ${organizationId}
      union all select id, position from ${collections} where organization_id = ${organizationId}) as siblings)`;
  await db.execute(sql`
    with ordered as materialized ${order},
      moved as (update ${spaces} set position = ordered.nth from ordered where ${spaces.id} = ordered.id)
    update ${collections} set position = ordered.nth from ordered where ${collections.id} = ordered.id`);
}

/** Whether a row is after a key in ascending order, or before it in descending order; no condition without a key. */
export function isBeyond(
  columns: { readonly position: AnyPgColumn; readonly id: AnyPgColumn },
  key: PositionKey | null,
  order: 'asc' | 'desc',
): SQL | undefined {
  if (key === null) return undefined;
  const position = sql`(${key.position}::numeric, ${key.id})`;
  return order === 'asc'
    ? sql`(${columns.position}, ${columns.id}) > ${position}`
    : sql`(${columns.position}, ${columns.id}) < ${position}`;
}
