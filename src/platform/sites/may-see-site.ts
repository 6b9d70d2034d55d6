import type { Db, RequestOrigin, SiteRow, TokenOwner } from '../../store/index.ts';
import { toCaller } from '../access/caller.ts';
import { findVisibleSite } from '../access/require-site.ts';
import { allows, siteRights } from '../access/roles.ts';

/** Whether whoever has a token or a session is a member who may see a site that is not for everybody. */
export async function maySeeSite(
  db: Db,
  owner: TokenOwner | null,
  { id: siteId, organizationId }: Pick<SiteRow, 'id' | 'organizationId'>,
  origin: RequestOrigin,
): Promise<boolean> {
  if (owner === null || owner.scope !== 'api' || owner.expiredAt !== null) return false;
  const caller = toCaller(owner, origin);
  if (caller.needsSso(organizationId)) return false;
  const found = await findVisibleSite(db, caller, { organizationId, siteId });
  return found !== null && allows(found.effectiveRole, siteRights.access);
}
