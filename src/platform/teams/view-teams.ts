import type { Team } from '../../contract/index.ts';
import { loadGrantsOfTeams, type TeamView } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadReach } from '../access/load-reach.ts';
import { effectiveRoleInTeam } from '../access/require-team.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentTeam } from './present-team.ts';

/** Returns a presenter for these teams of one organization, as the caller sees them. */
export async function viewTeams(
  { db }: Pick<PlatformDeps, 'db'>,
  caller: Caller,
  organizationId: string,
  views: readonly TeamView[],
): Promise<(view: TeamView) => Team> {
  const grants = await loadGrantsOfTeams(
    db,
    views.map(({ team }) => team.id),
  );
  const reach =
    grants.size === 0
      ? null
      : await loadReach(db, organizationId, { onlyTotal: false, granted: [...grants.values()].flat() });
  const organizationRole = caller.roleIn(organizationId);
  return ({ team, members, role }) => {
    const spaces = reach?.countGranted(grants.get(team.id) ?? []) ?? 0;
    return presentTeam(team, effectiveRoleInTeam(caller, organizationRole, role), { members, spaces });
  };
}
