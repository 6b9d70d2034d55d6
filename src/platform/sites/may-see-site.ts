import { findBearer } from '../../identity/index.ts';
import type { Db, RequestOrigin, SiteRow } from '../../store/index.ts';
import { toCaller } from '../access/caller.ts';
import { findVisibleSite } from '../access/require-site.ts';
import { allows, siteRights } from '../access/roles.ts';

/** Whether the owner of a token, or of a session, is a member who may see a site that is not for everybody. */
export async function maySeeSite(
  db: Db,
  token: string,
  { id: siteId, organizationId }: Pick<SiteRow, 'id' | 'organizationId'>,
  origin: RequestOrigin,
): Promise<boolean> {
  const owner = await findBearer(db, token);
  if (owner === null || owner.scope !== 'api' || owner.expiredAt !== null) return false;
  const caller = toCaller(owner, origin);
  if (caller.needsSso(organizationId)) return false;
  const found = await findVisibleSite(db, caller, { organizationId, siteId });
  return found !== null && allows(found.effectiveRole, siteRights.access);
}
