import { type Db, loadGrantsOf, loadMembersById, type MemberView, type SpaceRow } from '../../store/index.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { allows, spaceRights } from '../access/roles.ts';
import { membershipOf } from '../members/load-membership.ts';

/** Those of these users who take part in the discussions of a space, as members of its organization. */
export async function listParticipants(
  db: Db,
  space: SpaceRow,
  userIds: readonly string[],
): Promise<readonly MemberView[]> {
  const { organizationId } = space;
  const found = await loadMembersById(db, organizationId, userIds);
  if (found.length === 0) return [];
  const grants = await loadGrantsOf(
    db,
    organizationId,
    found.map(({ member }) => member.userId),
  );
  const participants: MemberView[] = [];
  for (const view of found) {
    const membership = membershipOf(view.member, grants.get(view.member.userId) ?? []);
    const map = await loadAccessMap(db, organizationId, membership);
    if (allows(map.roleInSpace(space), spaceRights.comment)) participants.push(view);
  }
  return participants;
}
