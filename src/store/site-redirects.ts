import { and, asc, count, eq, inArray, not, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { pages } from './schema/content.ts';
import { siteRedirects } from './schema/sites.ts';
import { textRows } from './text-rows.ts';

export type SiteRedirectRow = typeof siteRedirects.$inferSelect;

/** What a site has that its redirects may lead to. */
export interface RedirectTargets {
  readonly sectionIds: readonly string[];
  /** With the content whose pages are there; null before there is any. */
  readonly siteSpaces: readonly {
    readonly id: string;
    readonly historyId: string | null;
    readonly version: number | null;
  }[];
}

/**
 * The number of redirects of a site whose source contains a text, and those after `after`, oldest first. With `dead`, only
 * those whose destination is (`isDead`) or is not missing among the targets.
 */
export async function listRedirects(
  db: Db,
  siteId: string,
  options: {
    readonly search: string;
    readonly dead: { readonly isDead: boolean; readonly targets: RedirectTargets } | null;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly SiteRedirectRow[] }> {
  const { dead } = options;
  const missing = dead === null ? undefined : hasNoTarget(dead.targets);
  const matching = and(
    eq(siteRedirects.siteId, siteId),
    sql`strpos(lower(${siteRedirects.source}), lower(${options.search})) > 0`,
    missing === undefined || dead?.isDead === true ? missing : not(missing),
  );
  const [total] = await db.select({ count: count() }).from(siteRedirects).where(matching);
  const rows = await db
    .select()
    .from(siteRedirects)
    .where(and(matching, isYounger(siteRedirects, options.after)))
    .orderBy(asc(siteRedirects.createdAt), asc(siteRedirects.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

function hasNoTarget({ sectionIds, siteSpaces }: RedirectTargets): SQL {
  const { destination } = siteRedirects;
  return sql`(case ${destination} ->> 'kind'
    when 'site-section' then ${destination} ->> 'siteSectionId' not in ${textRows(sectionIds)}
    when 'site-space' then ${destination} ->> 'siteSpaceId' not in ${textRows(siteSpaces.map(({ id }) => id))}
    else not exists (
      select 1 from json_to_recordset(${JSON.stringify(siteSpaces)}::json)
        as shown(id text, "historyId" text, version int)
      join ${pages} on ${pages.historyId} = shown."historyId"
        and ${pages.since} <= shown.version and ${pages.until} > shown.version
      where shown.id = ${destination} ->> 'siteSpaceId' and ${pages.id} = ${destination} ->> 'pageId')
    end)`;
}

/** Where all redirects of a site lead, by their sources. */
export async function loadRedirects(
  db: Db,
  siteId: string,
): Promise<readonly Pick<SiteRedirectRow, 'source' | 'destination'>[]> {
  const { source, destination } = siteRedirects;
  return await db.select({ source, destination }).from(siteRedirects).where(eq(siteRedirects.siteId, siteId));
}

/** The redirects of a site with one of these sources, in no order. */
export async function findRedirects(
  db: Db,
  siteId: string,
  sources: readonly string[],
): Promise<readonly SiteRedirectRow[]> {
  return await db
    .select()
    .from(siteRedirects)
    .where(and(eq(siteRedirects.siteId, siteId), inArray(siteRedirects.source, [...sources])));
}

export async function insertRedirect(
  db: Db,
  redirect: Pick<SiteRedirectRow, 'id' | 'siteId' | 'source' | 'destination'>,
): Promise<SiteRedirectRow> {
  const [row] = await db.insert(siteRedirects).values(redirect).returning();
  return row as SiteRedirectRow;
}

/** Changes a redirect; null when the site has none with this id. */
export async function updateRedirect(
  db: Db,
  siteId: string,
  id: string,
  changes: Partial<Pick<SiteRedirectRow, 'source' | 'destination'>>,
): Promise<SiteRedirectRow | null> {
  const [row] = await db
    .update(siteRedirects)
    .set({ ...changes, siteId })
    .where(and(eq(siteRedirects.id, id), eq(siteRedirects.siteId, siteId)))
    .returning();
  return row ?? null;
}

export async function deleteRedirect(db: Db, siteId: string, id: string): Promise<SiteRedirectRow | null> {
  const [row] = await db
    .delete(siteRedirects)
    .where(and(eq(siteRedirects.id, id), eq(siteRedirects.siteId, siteId)))
    .returning();
  return row ?? null;
}
