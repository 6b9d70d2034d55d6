import { findBearer } from '../../identity/index.ts';
import type { Db, RequestOrigin, SiteRow } from '../../store/index.ts';
import { toCaller } from '../access/caller.ts';
import { allows } from '../access/roles.ts';

/** Whether the owner of a token, or of a session, is a member who may see a site that is not published. */
export async function maySeeSite(
  db: Db,
  token: string,
  site: Pick<SiteRow, 'organizationId'>,
  origin: RequestOrigin,
): Promise<boolean> {
  const owner = await findBearer(db, token);
  if (owner === null || owner.scope !== 'api' || owner.expiredAt !== null) return false;
  return allows(toCaller(owner, origin).roleIn(site.organizationId), 'read');
}
