import { type Db, loadLiveSpaces } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { noAccess, requireNeeded, sees } from '../access/require-role.ts';
import { loadSpaceAccess } from '../access/require-space.ts';
import { spaceRights } from '../access/roles.ts';
import { invalid } from '../api/api-error.ts';

/**
 * Throws if the caller may not show a space in a site of the organization: what a site shows, its readers see, whatever
 * they are in the space. `field` names where the id stands in the request.
 */
export async function requireShowable(
  db: Db,
  caller: Caller,
  organizationId: string,
  { spaceId, field }: { readonly spaceId: string; readonly field: string },
): Promise<void> {
  const [space] = await loadLiveSpaces(db, [spaceId]);
  const access = space === undefined ? noAccess : await loadSpaceAccess(db, caller, space);
  if (space?.organizationId !== organizationId || !sees(access, spaceRights.view)) {
    throw invalid(field, 'is not the id of a space of this organization that you may see');
  }
  requireNeeded(access, 'create', 'space');
}
