import type { Team } from '../../contract/index.ts';
import type { TeamRow } from '../../store/index.ts';
import { type EffectiveRole, permissionsOf, teamRights } from '../access/roles.ts';

/** The public fields of a team. */
export function presentTeam(
  team: TeamRow,
  effectiveRole: EffectiveRole,
  counts: Pick<Team, 'members' | 'spaces'>,
): Team {
  return {
    object: 'team',
    id: team.id,
    title: team.title,
    ...counts,
    createdAt: team.createdAt.toISOString(),
    ...(team.provisionedAt === null ? {} : { provisioned: true }),
    permissions: permissionsOf(teamRights, effectiveRole),
  };
}
