import { type Db, loadSharing, loadSpace, type SpaceRow } from '../../store/index.ts';
import type { Caller } from './caller.ts';
import { type Access, accessOf, noAccess, requireAccess, requireRole } from './require-role.ts';
import { type EffectiveRole, type SpaceRight, spaceRights } from './roles.ts';

type SharedSpace = Pick<SpaceRow, 'id' | 'organizationId' | 'parentId' | 'visibility' | 'defaultLevel'>;

/** Returns the space if the caller has this right in it; throws a 404 if they may not see it, else a 403. */
export async function requireSpace(
  db: Db,
  caller: Caller,
  spaceId: string,
  right: SpaceRight,
): Promise<{ space: SpaceRow; effectiveRole: EffectiveRole }> {
  const space = await loadSpace(db, spaceId);
  const access = space ? await loadSpaceAccess(db, caller, space) : noAccess;
  const thing = { name: 'space with this id', where: 'space' } as const;
  requireAccess(access, { view: spaceRights.view, needed: spaceRights[right] }, thing);
  const found = space as SpaceRow;
  caller.noteSeen(found.organizationId);
  return { space: found, effectiveRole: access.role };
}

/** The caller's effective role in a space. */
export async function effectiveRoleInSpace(
  db: Db,
  caller: Caller,
  space: SharedSpace,
): Promise<EffectiveRole> {
  return (await loadSpaceAccess(db, caller, space)).role;
}

/** What the caller may do in a space. */
export async function loadSpaceAccess(db: Db, caller: Caller, space: SharedSpace): Promise<Access> {
  const { organizationId, parentId: collectionId } = space;
  const { userId, member, granted } = caller.membershipAfterSso(organizationId);
  // Levels and grants give nothing to a stranger, and nothing more to an administrator.
  const hasMore = member !== 'none' && member !== 'admin' && (collectionId !== null || granted.somewhere);
  const { levels, grants } = hasMore
    ? await loadSharing(db, { organizationId, spaceId: space.id, collectionId }, userId)
    : { levels: [], grants: [] };
  return accessOf(caller, organizationId, { space, collections: levels, grants });
}

/** Throws a 403 if a caller who may see the space lacks this right in it. */
export function requireSpaceRight(effectiveRole: EffectiveRole, right: SpaceRight): void {
  requireRole(effectiveRole, spaceRights[right], 'space');
}
