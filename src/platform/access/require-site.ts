import { hashToken } from '../../identity/index.ts';
import {
  type AddressedSite,
  type Db,
  findSiteById,
  hasShareKey,
  loadSiteGrants,
  type SiteRow,
} from '../../store/index.ts';
import type { Caller } from './caller.ts';
import { type Access, accessOf, noAccess, requireAccess, sees } from './require-role.ts';
import { allows, type EffectiveRole, higherOf, type SiteRight, siteRights } from './roles.ts';

export interface SiteParams {
  readonly organizationId: string;
  readonly siteId: string;
}

/** A site as the caller has it. */
export interface LocatedSite extends AddressedSite {
  readonly effectiveRole: EffectiveRole;
}

/**
 * Returns the site if the caller has this right in it; throws a 404 if they may not see it, else a 403. The key of a share
 * link makes a visitor of everybody, where links are what the published site is read by.
 */
export async function requireSite(
  db: Db,
  caller: Caller,
  params: SiteParams,
  right: SiteRight,
  shareKey?: string,
): Promise<LocatedSite> {
  const found = await findIn(db, params);
  const own = found === null ? noAccess : await loadSiteAccess(db, caller, found.site);
  const access =
    found !== null && shareKey !== undefined && (await isShared(db, found.site, shareKey))
      ? { role: higherOf(own.role, 'visitor'), afterSso: higherOf(own.afterSso, 'visitor') }
      : own;
  const thing = { name: 'site with this id in this organization', where: 'site' } as const;
  requireAccess(access, { view: siteRights.view, needed: siteRights[right] }, thing);
  return { ...(found as AddressedSite), effectiveRole: access.role };
}

/**
 * Returns the site if the caller may see it, else null.
 *
 * @throws {ApiError} 403 if they will see it once they have passed the single sign-on
 */
export async function findVisibleSite(
  db: Db,
  caller: Caller,
  params: SiteParams,
): Promise<(LocatedSite & { readonly access: Access }) | null> {
  const found = await findIn(db, params);
  if (found === null) return null;
  const access = await loadSiteAccess(db, caller, found.site);
  return sees(access, siteRights.view) ? { ...found, effectiveRole: access.role, access } : null;
}

async function findIn(db: Db, { organizationId, siteId }: SiteParams): Promise<AddressedSite | null> {
  const found = await findSiteById(db, siteId);
  return found?.site.organizationId === organizationId ? found : null;
}

async function loadSiteAccess(db: Db, caller: Caller, site: SiteRow): Promise<Access> {
  const { organizationId } = site;
  const { userId, member, granted } = caller.membershipAfterSso(organizationId);
  const hasMore = member !== 'none' && !allows(member, 'admin') && granted.somewhere;
  const grants = hasMore ? await loadSiteGrants(db, organizationId, site.id, userId) : [];
  return accessOf(caller, organizationId, { space: null, collections: [], site, grants });
}

async function isShared(db: Db, site: SiteRow, key: string): Promise<boolean> {
  if (site.publishedAt === null || site.visibility !== 'share-link') return false;
  return await hasShareKey(db, site.id, hashToken(key));
}
