import { type Db, loadOrganization, type OrganizationRow } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { requireRole } from './require-role.ts';
import { allows, type EffectiveRole, type OrganizationRight, organizationRights } from './roles.ts';

/** Returns the organization if the caller has this right in it; throws a 404 if they may not see it, else a 403. */
export async function requireOrganization(
  db: Db,
  caller: Caller,
  organizationId: string,
  right: OrganizationRight,
): Promise<{ organization: OrganizationRow; effectiveRole: EffectiveRole }> {
  if (caller.needsSso(organizationId)) throw ssoRequired();
  const effectiveRole = caller.roleIn(organizationId);
  const organization = allows(effectiveRole, organizationRights.view)
    ? await loadOrganization(db, organizationId)
    : null;
  if (!organization) throw notFound('organization with this id');
  requireRole(effectiveRole, organizationRights[right], 'organization');
  return { organization, effectiveRole };
}

/** The answer to a member who has not passed the single sign-on that their organization requires. */
function ssoRequired(): ApiError {
  return new ApiError(
    'sso-required',
    'This organization takes only its single sign-on: sign in there, or use a token that you created after signing in there.',
  );
}
