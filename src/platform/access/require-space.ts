import { type Db, loadLevels, loadSpace, type SpaceRow } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { allows, type SpaceRight, type Standing, spaceRights } from './roles.ts';
import { standingAt } from './standing-at.ts';

/** The space, where the caller has this right; 404 when they may not see it, 403 when they may see but not do this. */
export async function requireSpace(
  db: Db,
  caller: Caller,
  spaceId: string,
  right: SpaceRight,
): Promise<{ space: SpaceRow; standing: Standing }> {
  const space = await loadSpace(db, spaceId);
  const standing = space ? await standingInSpace(db, caller, space) : 'none';
  if (!space || !allows(standing, spaceRights.view)) throw notFound('space with this id');
  requireSpaceRight(standing, right);
  return { space, standing };
}

/** What the caller is in a space. */
export async function standingInSpace(
  db: Db,
  caller: Caller,
  space: Pick<SpaceRow, 'organizationId' | 'parentId' | 'visibility' | 'defaultLevel'>,
): Promise<Standing> {
  const membership = caller.membershipIn(space.organizationId);
  // Levels give a stranger nothing, and an administrator nothing more.
  const asksLevels = membership.member !== 'none' && membership.member !== 'admin';
  const above = asksLevels && space.parentId !== null ? await loadLevels(db, space.parentId) : [];
  return standingAt(membership, {
    visibility: space.visibility,
    levels: [space.defaultLevel, ...above],
  });
}

/** Throws a 403 where a caller who may see the space lacks this right in it. */
export function requireSpaceRight(standing: Standing, right: SpaceRight): void {
  const needed = spaceRights[right];
  if (allows(standing, needed)) return;
  throw new ApiError(
    'role-too-low',
    `Your role in this space is ${standing}, and this takes the role ${needed}.`,
  );
}
