import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { pages, revisions } from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { siteSectionGroups, siteSections, siteSpaces } from './schema/sites.ts';

export type SiteSectionGroupRow = typeof siteSectionGroups.$inferSelect;
export type SiteSectionRow = typeof siteSections.$inferSelect;
export type SiteSpaceRow = typeof siteSpaces.$inferSelect;

/** What a site shows of one of its spaces. */
export interface ShownSpace {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly language: string | null;
  readonly visibility: string;
  /** Its content, by the revision that readers see; null before the first one. */
  readonly revisionId: string | null;
  readonly historyId: string | null;
  readonly version: number | null;
}

export interface SiteSpaceView extends SiteSpaceRow {
  readonly space: ShownSpace;
}

/** What a site is made of, each list in its order. Spaces that were deleted are left out. */
export interface SiteStructureRows {
  readonly groups: readonly SiteSectionGroupRow[];
  readonly sections: readonly SiteSectionRow[];
  readonly siteSpaces: readonly SiteSpaceView[];
}

/** Reads the structure of a site. It is the same as long as the site's version is. */
export async function loadSiteStructure(db: Db, siteId: string): Promise<SiteStructureRows> {
  // One after the other, since a transaction has one connection.
  const groups = await db
    .select()
    .from(siteSectionGroups)
    .where(eq(siteSectionGroups.siteId, siteId))
    .orderBy(asc(siteSectionGroups.position), asc(siteSectionGroups.id));
  const sections = await db
    .select()
    .from(siteSections)
    .where(eq(siteSections.siteId, siteId))
    .orderBy(asc(siteSections.position), asc(siteSections.id));
  const rows = await db
    .select({
      siteSpace: siteSpaces,
      space: {
        id: spaces.id,
        title: spaces.title,
        emoji: spaces.emoji,
        language: spaces.language,
        visibility: spaces.visibility,
        revisionId: spaces.revisionId,
        historyId: revisions.historyId,
        version: revisions.version,
      },
    })
    .from(siteSpaces)
    .innerJoin(spaces, eq(spaces.id, siteSpaces.spaceId))
    .leftJoin(revisions, eq(revisions.id, spaces.revisionId))
    .where(and(eq(siteSpaces.siteId, siteId), isNull(spaces.deletedAt)))
    .orderBy(asc(siteSpaces.position), asc(siteSpaces.id));
  return { groups, sections, siteSpaces: rows.map(({ siteSpace, space }) => ({ ...siteSpace, space })) };
}

/** The position behind all groups and sections of a site. */
function sectionAtEnd(siteId: string): SQL<string> {
  return sql`(
    select floor(coalesce(max(position), 0)) + 1 from (
      select position from ${siteSectionGroups} where site_id = ${siteId}
      union all
      select position from ${siteSections} where site_id = ${siteId}) as siblings)`;
}

/** Inserts a group behind all groups and sections of its site. Call it with the site locked. */
export async function insertSectionGroup(
  db: Db,
  group: Pick<SiteSectionGroupRow, 'id' | 'siteId' | 'parentId' | 'title' | 'icon'>,
): Promise<SiteSectionGroupRow> {
  const [row] = await db
    .insert(siteSectionGroups)
    .values({ ...group, position: sectionAtEnd(group.siteId) })
    .returning();
  return row as SiteSectionGroupRow;
}

/** Inserts a section behind all groups and sections of its site. Call it with the site locked. */
export async function insertSection(
  db: Db,
  section: Pick<SiteSectionRow, 'id' | 'siteId' | 'groupId' | 'title' | 'path' | 'icon'>,
): Promise<SiteSectionRow> {
  const [row] = await db
    .insert(siteSections)
    .values({ ...section, position: sectionAtEnd(section.siteId) })
    .returning();
  return row as SiteSectionRow;
}

function siteSpaceAtEnd(siteId: string): SQL<string> {
  return sql`(select floor(coalesce(max(position), 0)) + 1 from ${siteSpaces} where site_id = ${siteId})`;
}

/** Inserts a space behind all others of its site. Call it with the site locked. */
export async function insertSiteSpace(
  db: Db,
  siteSpace: Pick<SiteSpaceRow, 'id' | 'siteId' | 'sectionId' | 'spaceId' | 'path'>,
): Promise<SiteSpaceRow> {
  const { siteId } = siteSpace;
  const [row] = await db
    .insert(siteSpaces)
    .values({
      ...siteSpace,
      position: siteSpaceAtEnd(siteId),
    })
    .returning();
  return row as SiteSpaceRow;
}

export async function updateSectionGroup(
  db: Db,
  id: string,
  changes: Partial<Pick<SiteSectionGroupRow, 'title' | 'icon'>>,
): Promise<void> {
  if (Object.keys(changes).length > 0)
    await db.update(siteSectionGroups).set(changes).where(eq(siteSectionGroups.id, id));
}

export async function updateSection(
  db: Db,
  id: string,
  changes: Partial<Omit<SiteSectionRow, 'id' | 'siteId' | 'groupId' | 'createdAt'>>,
): Promise<void> {
  if (Object.keys(changes).length > 0)
    await db.update(siteSections).set(changes).where(eq(siteSections.id, id));
}

export async function updateSiteSpace(
  db: Db,
  id: string,
  changes: Partial<
    Pick<SiteSpaceRow, 'path' | 'condition' | 'spaceId' | 'customization' | 'declaredBy' | 'position'>
  >,
): Promise<void> {
  if (Object.keys(changes).length > 0) await db.update(siteSpaces).set(changes).where(eq(siteSpaces.id, id));
}

/** The paths of all spaces in a section, or (null) at the root, also of those that were deleted and can be restored. */
export async function listSiteSpacePaths(
  db: Db,
  siteId: string,
  sectionId: string | null,
): Promise<readonly string[]> {
  const rows = await db
    .select({ path: siteSpaces.path })
    .from(siteSpaces)
    .where(
      and(
        eq(siteSpaces.siteId, siteId),
        sectionId === null ? isNull(siteSpaces.sectionId) : eq(siteSpaces.sectionId, sectionId),
      ),
    );
  return rows.map(({ path }) => path);
}

/** Puts all spaces at the root of a site into a section. */
export async function moveRootInto(db: Db, siteId: string, sectionId: string): Promise<void> {
  await db
    .update(siteSpaces)
    .set({ sectionId })
    .where(and(eq(siteSpaces.siteId, siteId), isNull(siteSpaces.sectionId)));
}

const tableOf = {
  group: siteSectionGroups,
  section: siteSections,
  siteSpace: siteSpaces,
} as const;

/** Deletes a part of a site; what is in it goes with it, but for the contents of a group, which lose their group. */
export async function deletePart(
  db: Db,
  kind: keyof typeof tableOf,
  { siteId, id }: { readonly siteId: string; readonly id: string },
): Promise<void> {
  const table = tableOf[kind];
  await db.delete(table).where(and(eq(table.id, id), eq(table.siteId, siteId)));
}

/** Between two siblings, of which either may be absent. */
export interface PartPlace {
  readonly before: string | null;
  readonly after: string | null;
}

function positionIn(place: PartPlace, atEnd: SQL<string>): SQL<string> {
  const { before, after } = place;
  if (before !== null && after !== null) return sql`(${before}::numeric + ${after}::numeric) * 0.5`;
  if (before !== null) return sql`floor(${before}::numeric) + 1`;
  if (after !== null) return sql`ceil(${after}::numeric) - 1`;
  return atEnd;
}

/** Moves a group or section to a place in a group, or outside of all, and returns its position. Call it with the site locked. */
export async function placeInGroup(
  db: Db,
  part: { readonly kind: 'group' | 'section'; readonly id: string; readonly siteId: string },
  groupId: string | null,
  place: PartPlace,
): Promise<string | null> {
  const position = positionIn(place, sectionAtEnd(part.siteId));
  const [moved] =
    part.kind === 'group'
      ? await db
          .update(siteSectionGroups)
          .set({ parentId: groupId, position })
          .where(eq(siteSectionGroups.id, part.id))
          .returning({ position: siteSectionGroups.position })
      : await db
          .update(siteSections)
          .set({ groupId, position })
          .where(eq(siteSections.id, part.id))
          .returning({ position: siteSections.position });
  await shortenSectionPositions(db, part.siteId);
  return moved?.position ?? null;
}

/** Moves a space to a place among those of its section. Call it with the site locked. */
export async function placeSiteSpace(
  db: Db,
  { id, siteId }: { readonly id: string; readonly siteId: string },
  place: PartPlace,
): Promise<void> {
  const position = positionIn(place, siteSpaceAtEnd(siteId));
  await db.update(siteSpaces).set({ position }).where(eq(siteSpaces.id, id));
  await db.execute(sql`
    update ${siteSpaces} set position = ordered.nth from (
      select id, row_number() over (order by position, id) as nth from ${siteSpaces}
      where site_id = ${siteId}) as ordered
    where ${siteSpaces.id} = ordered.id
      and exists (select from ${siteSpaces} long where long.site_id = ${siteId} and scale(long.position) > ${MAX_DIGITS})`);
}

/** The maximum number of decimals of a position; more result from moving things to the same position repeatedly. */
const MAX_DIGITS = 100;

async function shortenSectionPositions(db: Db, siteId: string): Promise<void> {
  const all = sql`(
    select id, position from ${siteSectionGroups} where site_id = ${siteId}
    union all select id, position from ${siteSections} where site_id = ${siteId})`;
  const { rows } = await db.execute(
    sql`select 1 from ${all} siblings where scale(position) > ${MAX_DIGITS} limit 1`,
  );
  if (rows.length === 0) return;
  await db.execute(sql`
    with ordered as materialized (
      select id, row_number() over (order by position, id) as nth from ${all} as siblings),
      moved as (
        update ${siteSectionGroups} set position = ordered.nth from ordered where ${siteSectionGroups.id} = ordered.id)
    update ${siteSections} set position = ordered.nth from ordered where ${siteSections.id} = ordered.id`);
}

/** The first segment of an address in the content of a space. */
export interface SegmentQuery {
  readonly key: string;
  readonly historyId: string;
  readonly version: number;
  readonly segment: string;
}

/** Those of these segments at or below which the content has a page, with the title of one. */
export async function findPagesAtSegments(
  db: Db,
  queries: readonly SegmentQuery[],
): Promise<readonly { readonly key: string; readonly segment: string; readonly title: string }[]> {
  if (queries.length === 0) return [];
  const { rows } = await db.execute<{ key: string; segment: string; title: string }>(sql`
    select asked.key, asked.segment, min(page.title) as title
    from json_to_recordset(${JSON.stringify(queries)}::json)
      asked(key text, "historyId" text, version int, segment text)
    join ${pages} page on page.history_id = asked."historyId" and page.since <= asked.version
      and page.until > asked.version and split_part(page.path, '/', 1) = asked.segment and page.type <> 'link'
    group by asked.key, asked.segment`);
  return rows;
}

/** The first segments of the addresses in the content of a space that begin with a text. */
export async function listTopSegments(
  db: Db,
  { historyId, version }: { readonly historyId: string; readonly version: number },
  beginning: string,
): Promise<readonly string[]> {
  const { rows } = await db.execute<{ segment: string }>(sql`
    select distinct split_part(page.path, '/', 1) as segment from ${pages} page
    where page.history_id = ${historyId} and page.since <= ${version} and page.until > ${version}
      and starts_with(page.path, ${beginning})`);
  return rows.map(({ segment }) => segment);
}
