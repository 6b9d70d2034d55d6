import { type Db, loadTeam, type StoredTeamRole, type TeamView } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { requireOrganization } from './require-organization.ts';
import { requireRole } from './require-role.ts';
import {
  allows,
  type EffectiveRole,
  higherOf,
  lowerOf,
  organizationRights,
  type TeamRight,
  teamRights,
} from './roles.ts';

export interface TeamParams {
  readonly organizationId: string;
  readonly teamId: string;
}

/**
 * The caller's role in a team of an organization where their role is `organizationRole`: an administrator there and an
 * owner of the team administer it; who lists teams, and who is in it, sees it.
 */
export function effectiveRoleInTeam(
  caller: Pick<Caller, 'limit'>,
  organizationRole: EffectiveRole,
  role: StoredTeamRole | null,
): EffectiveRole {
  const own = role === 'owner' ? 'admin' : role === 'member' ? 'read' : 'none';
  const inTeam = caller.limit === null ? own : lowerOf(own, caller.limit);
  const listed = allows(organizationRole, organizationRights.listTeams) ? organizationRole : 'none';
  return higherOf(listed, inTeam);
}

/** Returns the team if the caller has this right in it; throws a 404 if they may not see it, else a 403. */
export async function requireTeam(
  db: Db,
  caller: Caller,
  params: TeamParams,
  right: TeamRight,
): Promise<{ view: TeamView; effectiveRole: EffectiveRole; organizationRole: EffectiveRole }> {
  const found = await findTeam(db, caller, params);
  if (found === null) throw notFound('team with this id in this organization');
  requireRole(found.effectiveRole, teamRights[right], 'team');
  return found;
}

/** Returns the team if the caller may see it, else null. */
export async function findTeam(
  db: Db,
  caller: Caller,
  { organizationId, teamId }: TeamParams,
): Promise<{ view: TeamView; effectiveRole: EffectiveRole; organizationRole: EffectiveRole } | null> {
  const { effectiveRole: organizationRole } = await requireOrganization(db, caller, organizationId, 'view');
  const view = await loadTeam(db, organizationId, teamId, caller.user.id);
  const effectiveRole = effectiveRoleInTeam(caller, organizationRole, view?.role ?? null);
  return view !== null && allows(effectiveRole, teamRights.view)
    ? { view, effectiveRole, organizationRole }
    : null;
}
