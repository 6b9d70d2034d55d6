import { type Db, loadOrganization, type OrganizationRow } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { accessOf, requireRole, sees } from './require-role.ts';
import { type EffectiveRole, type OrganizationRight, organizationRights } from './roles.ts';

/** Returns the organization if the caller has this right in it; throws a 404 if they may not see it, else a 403. */
export async function requireOrganization(
  db: Db,
  caller: Caller,
  organizationId: string,
  right: OrganizationRight,
): Promise<{ organization: OrganizationRow; effectiveRole: EffectiveRole }> {
  const access = accessOf(caller, organizationId);
  const organization = sees(access, organizationRights.view)
    ? await loadOrganization(db, organizationId)
    : null;
  if (!organization) throw notFound('organization with this id');
  requireRole(access.role, organizationRights[right], 'organization');
  caller.noteSeen(organizationId);
  return { organization, effectiveRole: access.role };
}
