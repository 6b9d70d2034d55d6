import { and, asc, count, eq, inArray, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { type Grant, grantJson, grantsOf } from './grants-of.ts';
import { organizations, spaces } from './schema/platform.ts';
import { siteShareLinks, siteSpaces, sites } from './schema/sites.ts';
import { textRows } from './text-rows.ts';

/** Sites at the root of an organization's address; who has more names one that leads to them. */
const MAX_LISTED = 200;

export type SiteRow = typeof sites.$inferSelect;

/** A site with what its address is made of. */
export interface AddressedSite {
  readonly site: SiteRow;
  /** The hostname of its organization; null when that has none. */
  readonly organizationHostname: string | null;
}

export async function loadSite(db: Db, organizationId: string, siteId: string): Promise<SiteRow | null> {
  const [row] = await db
    .select()
    .from(sites)
    .where(and(eq(sites.id, siteId), eq(sites.organizationId, organizationId)));
  return row ?? null;
}

export async function findSiteById(db: Db, siteId: string): Promise<AddressedSite | null> {
  return await findSite(db, eq(sites.id, siteId));
}

/** The site with this host of its own, in lower case, as far as its organization has proved that it may have it. */
export async function findSiteByHostname(db: Db, hostname: string): Promise<AddressedSite | null> {
  return await findSite(db, and(eq(sites.hostname, hostname), sites.hostnameProved));
}

/** The site with this basename in the organization that has the hostname, or the id. */
export async function findSiteByAddress(
  db: Db,
  organization: { readonly hostname: string } | { readonly id: string },
  basename: string,
): Promise<AddressedSite | null> {
  const isThere =
    'id' in organization
      ? eq(sites.organizationId, organization.id)
      : eq(organizations.hostname, organization.hostname);
  return await findSite(db, and(isThere, eq(sites.basename, basename)));
}

async function findSite(db: Db, where: SQL | undefined): Promise<AddressedSite | null> {
  const [row] = await db
    .select({ site: sites, organizationHostname: organizations.hostname })
    .from(sites)
    .innerJoin(organizations, eq(organizations.id, sites.organizationId))
    .where(where);
  return row ?? null;
}

/** The site that a source, such as a repository, declares. */
export async function findDeclaredSite(
  db: Db,
  organizationId: string,
  source: string,
): Promise<AddressedSite | null> {
  return await findSite(db, and(eq(sites.organizationId, organizationId), eq(sites.declaredBy, source)));
}

/** Locks a site until the transaction is complete, so that no other changes it or its structure. Null when there is none. */
export async function lockSite(db: Db, organizationId: string, siteId: string): Promise<SiteRow | null> {
  const [row] = await db
    .select()
    .from(sites)
    .where(and(eq(sites.id, siteId), eq(sites.organizationId, organizationId)))
    .for('no key update');
  return row ?? null;
}

export async function insertSite(
  db: Db,
  site: Pick<
    typeof sites.$inferInsert,
    'id' | 'organizationId' | 'title' | 'type' | 'visibility' | 'basename' | 'publishedAt' | 'declaredBy'
  >,
): Promise<SiteRow> {
  const [row] = await db.insert(sites).values(site).returning();
  return row as SiteRow;
}

export async function updateSite(
  db: Db,
  siteId: string,
  changes: Partial<Omit<SiteRow, 'id' | 'organizationId' | 'version' | 'createdAt' | 'updatedAt'>>,
): Promise<SiteRow | null> {
  const [row] = await db
    .update(sites)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(sites.id, siteId))
    .returning();
  return row ?? null;
}

/** The hosts of their own that sites have and that were proved. */
export async function listSiteHostnames(db: Db): Promise<readonly string[]> {
  const rows = await db
    .select({ hostname: sites.hostname })
    .from(sites)
    .where(and(isNotNull(sites.hostname), sites.hostnameProved));
  return rows.flatMap(({ hostname }) => hostname ?? []);
}

/** The published sites of an organization that are for everybody and for search engines, by their titles. */
export async function listPublicSites(db: Db, organizationId: string): Promise<readonly SiteRow[]> {
  return await db
    .select()
    .from(sites)
    .where(
      and(
        eq(sites.organizationId, organizationId),
        eq(sites.visibility, 'public'),
        isNotNull(sites.publishedAt),
      ),
    )
    .orderBy(asc(sites.title), asc(sites.id))
    .limit(MAX_LISTED);
}

/**
 * The published sites of all organizations that are for everybody and for search engines and that are served on this server's
 * own host, without a host or a proxy of their own, oldest first.
 */
export async function listSitesBelowOwnHost(db: Db, limit: number): Promise<readonly AddressedSite[]> {
  return await db
    .select({ site: sites, organizationHostname: organizations.hostname })
    .from(sites)
    .innerJoin(organizations, eq(organizations.id, sites.organizationId))
    .where(
      and(
        eq(sites.visibility, 'public'),
        isNotNull(sites.publishedAt),
        isNull(sites.proxy),
        or(isNull(sites.hostname), not(sites.hostnameProved)),
      ),
    )
    .orderBy(asc(sites.createdAt), asc(sites.id))
    .limit(limit);
}

/** Deletes a site. Call it with its organization locked, of which it may be the default content. */
export async function deleteSite(db: Db, siteId: string): Promise<SiteRow | null> {
  const [row] = await db.delete(sites).where(eq(sites.id, siteId)).returning();
  await db.update(organizations).set({ defaultSiteId: null }).where(eq(organizations.defaultSiteId, siteId));
  return row ?? null;
}

/** The basenames of an organization that begin with a text. */
export async function listBasenames(
  db: Db,
  organizationId: string,
  beginning: string,
): Promise<readonly string[]> {
  const rows = await db
    .select({ basename: sites.basename })
    .from(sites)
    .where(and(eq(sites.organizationId, organizationId), sql`starts_with(${sites.basename}, ${beginning})`));
  return rows.map(({ basename }) => basename);
}

/** The other site that has this basename in the organization, or this host. */
export async function findRival(
  db: Db,
  { id, organizationId }: Pick<SiteRow, 'id' | 'organizationId'>,
  wanted: { readonly basename: string } | { readonly hostname: string },
): Promise<SiteRow | null> {
  const [row] = await db
    .select()
    .from(sites)
    .where(
      and(
        sql`${sites.id} <> ${id}`,
        'basename' in wanted
          ? and(eq(sites.organizationId, organizationId), eq(sites.basename, wanted.basename))
          : eq(sites.hostname, wanted.hostname),
      ),
    );
  return row ?? null;
}

/** The number of sites of an organization that match, and those after `after`, oldest first. */
export async function listSites(
  db: Db,
  organizationId: string,
  options: {
    /** Only those with one of these ids; all when null. */
    readonly ids: readonly string[] | null;
    readonly spaceId: string | undefined;
    readonly title: string | undefined;
    readonly isPublished: boolean | undefined;
    readonly types: readonly string[] | undefined;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly SiteRow[] }> {
  const { ids, spaceId, title, isPublished, types, after, limit } = options;
  const matching = and(
    eq(sites.organizationId, organizationId),
    ids === null ? undefined : sql`${sites.id} in ${textRows(ids)}`,
    spaceId === undefined
      ? undefined
      : sql`${sites.id} in (select site_id from ${siteSpaces} where space_id = ${spaceId})`,
    title === undefined ? undefined : sql`strpos(lower(${sites.title}), lower(${title})) > 0`,
    isPublished === undefined
      ? undefined
      : isPublished
        ? isNotNull(sites.publishedAt)
        : isNull(sites.publishedAt),
    types === undefined ? undefined : inArray(sites.type, [...types]),
  );
  const [total] = await db.select({ count: count() }).from(sites).where(matching);
  const rows = await db
    .select()
    .from(sites)
    .where(and(matching, isYounger(sites, after)))
    .orderBy(asc(sites.createdAt), asc(sites.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** How many spaces that are not deleted each of these sites has. */
export async function countSiteSpaces(
  db: Db,
  siteIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (siteIds.length === 0) return new Map();
  const rows = await db
    .select({ siteId: siteSpaces.siteId, count: count() })
    .from(siteSpaces)
    .innerJoin(spaces, and(eq(spaces.id, siteSpaces.spaceId), isNull(spaces.deletedAt)))
    .where(sql`${siteSpaces.siteId} in ${textRows(siteIds)}`)
    .groupBy(siteSpaces.siteId);
  return new Map(rows.map((row) => [row.siteId, row.count]));
}

/** What a member was granted in a site. */
export async function loadSiteGrants(
  db: Db,
  organizationId: string,
  siteId: string,
  userId: string,
): Promise<readonly Grant[]> {
  const { rows } = await db.execute<{ grant: Grant }>(sql`
    select ${grantJson} as grant from ${grantsOf(sql`${organizationId}`, sql`${userId}`)} granted
    where granted.site_id = ${siteId}`);
  return rows.map(({ grant }) => grant);
}

/** Whether an active share link of the site has the key with this hash. */
export async function hasShareKey(db: Db, siteId: string, hash: string): Promise<boolean> {
  const rows = await db
    .select({ id: siteShareLinks.id })
    .from(siteShareLinks)
    .where(
      and(eq(siteShareLinks.hash, hash), eq(siteShareLinks.siteId, siteId), eq(siteShareLinks.active, true)),
    );
  return rows.length > 0;
}
