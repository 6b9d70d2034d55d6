import type { Db } from '../../store/db.ts';
import { loadSpace, type SpaceRow } from '../../store/spaces.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { allows, type SpaceRight, type Standing, spaceRights } from './roles.ts';

/** The space, where the caller has this right; 404 when they may not see it, 403 when they may see but not do this. */
export async function requireSpace(
  db: Db,
  caller: Caller,
  spaceId: string,
  right: SpaceRight,
): Promise<{ space: SpaceRow; standing: Standing }> {
  const space = await loadSpace(db, spaceId);
  const standing = space ? caller.standingIn(space.organizationId) : 'none';
  if (!space || !allows(standing, spaceRights.view)) throw notFound('space with this id');
  requireSpaceRight(standing, right);
  return { space, standing };
}

/** Throws a 403 where a caller who may see the space lacks this right in it. */
export function requireSpaceRight(standing: Standing, right: SpaceRight): void {
  const needed = spaceRights[right];
  if (allows(standing, needed)) return;
  throw new ApiError(403, `Your role in this space is ${standing}, and this takes the role ${needed}.`);
}
