import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { organizations } from './schema/platform.ts';
import { sites } from './schema/sites.ts';

export type SiteRow = typeof sites.$inferSelect;

/** The channel on which the database tells the id of each site whose version was raised, or that is gone. */
export const SITES_CHANNEL = 'docloom_sites';

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

/** The site with this host of its own, in lower case. */
export async function findSiteByHostname(db: Db, hostname: string): Promise<AddressedSite | null> {
  return await findSite(db, eq(sites.hostname, hostname));
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
    'id' | 'organizationId' | 'title' | 'type' | 'visibility' | 'basename' | 'publishedAt'
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

/** The hosts of their own that sites have. */
export async function listSiteHostnames(db: Db): Promise<readonly string[]> {
  const rows = await db.select({ hostname: sites.hostname }).from(sites).where(isNotNull(sites.hostname));
  return rows.flatMap(({ hostname }) => hostname ?? []);
}
