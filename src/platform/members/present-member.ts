import type { Member } from '../../contract/index.ts';
import type { MemberView } from '../../store/index.ts';
import { toRole } from '../access/roles.ts';
import { presentUser } from '../organizations/present-user.ts';

/** The public fields of a member. */
export function presentMember(
  { member, user }: MemberView,
  facts: Pick<Member, 'spaces' | 'teams'> & { readonly isProvisioned: boolean },
  publicUrl: string,
): Member {
  return {
    object: 'member',
    id: user.id,
    role: member.role === null ? null : toRole(member.role),
    user: presentUser(user, publicUrl),
    disabled: member.disabledAt !== null,
    joinedAt: member.joinedAt.toISOString(),
    sso: member.sso,
    spaces: facts.spaces,
    teams: facts.teams,
    ...(facts.isProvisioned && { provisioned: true }),
    ...(member.lastSeenAt === null ? {} : { lastSeenAt: member.lastSeenAt.toISOString() }),
  };
}
