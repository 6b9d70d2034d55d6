import { type Db, loadLevels, loadSpace, type SpaceRow } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { effectiveRoleAt } from './effective-role.ts';
import { requireRole } from './require-role.ts';
import { allows, type EffectiveRole, type SpaceRight, spaceRights } from './roles.ts';

/** Returns the space if the caller has this right in it; throws a 404 if they may not see it, else a 403. */
export async function requireSpace(
  db: Db,
  caller: Caller,
  spaceId: string,
  right: SpaceRight,
): Promise<{ space: SpaceRow; effectiveRole: EffectiveRole }> {
  const space = await loadSpace(db, spaceId);
  const effectiveRole = space ? await effectiveRoleInSpace(db, caller, space) : 'none';
  if (!space || !allows(effectiveRole, spaceRights.view)) throw notFound('space with this id');
  requireSpaceRight(effectiveRole, right);
  return { space, effectiveRole };
}

/** The caller's effective role in a space. */
export async function effectiveRoleInSpace(
  db: Db,
  caller: Caller,
  space: Pick<SpaceRow, 'organizationId' | 'parentId' | 'visibility' | 'defaultLevel'>,
): Promise<EffectiveRole> {
  const membership = caller.membershipIn(space.organizationId);
  // Levels grant nothing to a stranger, and nothing more to an administrator.
  const needsLevels = membership.member !== 'none' && membership.member !== 'admin';
  const above = needsLevels && space.parentId !== null ? await loadLevels(db, space.parentId) : [];
  return effectiveRoleAt(membership, {
    visibility: space.visibility,
    levels: [space.defaultLevel, ...above],
  });
}

/** Throws a 403 if a caller who may see the space lacks this right in it. */
export function requireSpaceRight(effectiveRole: EffectiveRole, right: SpaceRight): void {
  requireRole(effectiveRole, spaceRights[right], 'space');
}
