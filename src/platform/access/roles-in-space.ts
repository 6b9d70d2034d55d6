import { type Db, loadGrantsOf, loadMembersOf, loadSharing, type SpaceRow } from '../../store/index.ts';
import { membershipOf } from '../members/load-membership.ts';
import { effectiveRoleAt } from './effective-role.ts';
import type { EffectiveRole } from './roles.ts';

/** The effective roles of these users in a space, without the limits of any token; those who are no members are left out. */
export async function loadRolesInSpace(
  db: Db,
  space: Pick<SpaceRow, 'id' | 'organizationId' | 'parentId' | 'visibility' | 'defaultLevel'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, EffectiveRole>> {
  if (userIds.length === 0) return new Map();
  const { organizationId, parentId: collectionId } = space;
  const views = await loadMembersOf(db, organizationId, userIds);
  const grants = await loadGrantsOf(
    db,
    organizationId,
    views.map(({ member }) => member.userId),
  );
  const { levels } = await loadSharing(db, { organizationId, spaceId: space.id, collectionId }, '');
  const places = new Set([space.id, ...levels.map(({ id }) => id)]);
  return new Map(
    views.map(({ member }) => {
      const own = grants.get(member.userId) ?? [];
      const here = own.filter((grant) => places.has(grant.spaceId ?? grant.collectionId ?? ''));
      const sharing = { space, collections: levels, grants: here };
      return [member.userId, effectiveRoleAt(membershipOf(member, own), sharing)];
    }),
  );
}
