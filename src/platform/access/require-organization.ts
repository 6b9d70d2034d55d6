import { type Db, loadOrganization, type OrganizationRow } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { allows, type EffectiveRole, type OrganizationRight, organizationRights } from './roles.ts';

/** The organization, where the caller has this right; 404 when they may not see it, 403 when they may see but not do this. */
export async function requireOrganization(
  db: Db,
  caller: Caller,
  organizationId: string,
  right: OrganizationRight,
): Promise<{ organization: OrganizationRow; effectiveRole: EffectiveRole }> {
  const effectiveRole = caller.roleIn(organizationId);
  const organization = allows(effectiveRole, organizationRights.view)
    ? await loadOrganization(db, organizationId)
    : null;
  if (!organization) throw notFound('organization with this id');
  const needed = organizationRights[right];
  if (!allows(effectiveRole, needed)) {
    throw new ApiError(
      'role-too-low',
      `Your role in this organization is ${effectiveRole}, and this takes the role ${needed}.`,
    );
  }
  return { organization, effectiveRole };
}
