import { type Db, loadOrganization, type OrganizationRow } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { allows, type OrganizationRight, organizationRights, type Standing } from './roles.ts';

/** The organization, where the caller has this right; 404 when they may not see it, 403 when they may see but not do this. */
export async function requireOrganization(
  db: Db,
  caller: Caller,
  organizationId: string,
  right: OrganizationRight,
): Promise<{ organization: OrganizationRow; standing: Standing }> {
  const standing = caller.standingIn(organizationId);
  const organization = allows(standing, organizationRights.view)
    ? await loadOrganization(db, organizationId)
    : null;
  if (!organization) throw notFound('organization with this id');
  const needed = organizationRights[right];
  if (!allows(standing, needed)) {
    throw new ApiError(
      'role-too-low',
      `Your role in this organization is ${standing}, and this takes the role ${needed}.`,
    );
  }
  return { organization, standing };
}
