import { asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { revisions } from './schema/content.ts';
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
  const [groups, sections, rows] = await Promise.all([
    db
      .select()
      .from(siteSectionGroups)
      .where(eq(siteSectionGroups.siteId, siteId))
      .orderBy(asc(siteSectionGroups.position), asc(siteSectionGroups.id)),
    db
      .select()
      .from(siteSections)
      .where(eq(siteSections.siteId, siteId))
      .orderBy(asc(siteSections.position), asc(siteSections.id)),
    db
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
      .where(sql`${siteSpaces.siteId} = ${siteId} and ${spaces.deletedAt} is null`)
      .orderBy(asc(siteSpaces.position), asc(siteSpaces.id)),
  ]);
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
      position: sql`(select floor(coalesce(max(position), 0)) + 1 from ${siteSpaces} where site_id = ${siteId})`,
    })
    .returning();
  return row as SiteSpaceRow;
}
