import type { Member } from '../../contract/index.ts';
import type { MemberView } from '../../store/index.ts';
import { toRole } from '../access/roles.ts';
import { presentUser } from '../organizations/present-user.ts';

/** The public fields of a member. This version has neither teams nor single sign-on. */
export function presentMember({ member, user }: MemberView, spaces: number, publicUrl: string): Member {
  return {
    object: 'member',
    id: user.id,
    role: member.role === null ? null : toRole(member.role),
    user: presentUser(user, publicUrl),
    disabled: false,
    joinedAt: member.joinedAt.toISOString(),
    sso: false,
    spaces,
    teams: 0,
    ...(member.lastSeenAt === null ? {} : { lastSeenAt: member.lastSeenAt.toISOString() }),
  };
}
