import { and, count, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { spaces } from './schema/platform.ts';
import { isOfKind, type SpaceKind } from './space-kind.ts';
import { textRows } from './text-rows.ts';

/** What decides who may see a space, besides what is granted in it alone: many spaces have the same. */
export type SpaceGroup = Pick<typeof spaces.$inferSelect, 'parentId' | 'visibility' | 'defaultLevel'>;

/** Spaces of an organization: those of these groups, and those with these ids. */
export interface SpaceSelection {
  readonly groups: readonly SpaceGroup[];
  readonly ids: readonly string[];
}

/** The groups of an organization's spaces with how many spaces each has, in no order. */
export async function loadSpaceGroups(
  db: Db,
  organizationId: string,
  kind: SpaceKind = 'live',
): Promise<readonly (SpaceGroup & { readonly count: number })[]> {
  return await db
    .select({
      parentId: spaces.parentId,
      visibility: spaces.visibility,
      defaultLevel: spaces.defaultLevel,
      count: count(),
    })
    .from(spaces)
    .where(and(eq(spaces.organizationId, organizationId), isOfKind(kind)))
    .groupBy(spaces.parentId, spaces.visibility, spaces.defaultLevel);
}

/** A subquery with the ids of those of an organization's spaces that are selected and not deleted. */
export function selectedIds(db: Db, organizationId: string, selection: SpaceSelection | null) {
  return db
    .select({ id: spaces.id })
    .from(spaces)
    .where(and(eq(spaces.organizationId, organizationId), isOfKind('live'), isSelected(selection)));
}

/** Whether a row of `spaces` is selected; null selects all. */
export function isSelected(selection: SpaceSelection | null): SQL | undefined {
  if (selection === null) return undefined;
  const groups = selection.groups.map(({ parentId, visibility, defaultLevel }) => ({
    parent: parentId ?? '',
    visibility,
    level: defaultLevel ?? '',
  }));
  const inGroup = sql`(coalesce(${spaces.parentId}, ''), ${spaces.visibility}, coalesce(${spaces.defaultLevel}, '')) in (
    select parent, visibility, level from json_to_recordset(${JSON.stringify(groups)}::json)
      as selected(parent text, visibility text, level text))`;
  return selection.ids.length === 0
    ? inGroup
    : sql`(${inGroup} or ${spaces.id} in ${textRows(selection.ids)})`;
}
