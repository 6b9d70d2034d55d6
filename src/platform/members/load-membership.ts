import { type Db, type Grant, loadGrantsOf, type MemberView } from '../../store/index.ts';
import { type Membership, strangerWith } from '../access/effective-role.ts';
import { toRole } from '../access/roles.ts';

type Member = Pick<MemberView['member'], 'organizationId' | 'userId' | 'role' | 'disabledAt'>;

/** A member's membership without the limit of any token; that of a stranger if it is disabled. */
export async function loadMembership(db: Db, member: Member): Promise<Membership> {
  const grants = await loadGrantsOf(db, member.organizationId, [member.userId]);
  return membershipOf(member, grants.get(member.userId) ?? []);
}

export function membershipOf(
  { userId, role, disabledAt }: Pick<Member, 'userId' | 'role' | 'disabledAt'>,
  grants: readonly Grant[],
): Membership {
  if (disabledAt !== null) return strangerWith(null, userId);
  const everywhere = grants.filter(isEverywhere);
  return {
    userId,
    member: (role === null ? null : toRole(role)) ?? 'guest',
    granted: { everywhere, somewhere: everywhere.length < grants.length },
    limit: null,
  };
}

function isEverywhere({ spaceId, collectionId, siteId }: Grant): boolean {
  return spaceId === null && collectionId === null && siteId === null;
}
