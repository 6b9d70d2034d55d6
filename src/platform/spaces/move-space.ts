import type { Position } from '../../contract/index.ts';
import {
  type Db,
  listSiblings,
  loadSpace,
  lockOrganization,
  positionBetween,
  type SpaceRow,
  shortenPositions,
  updateSpaceParent,
} from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import { chooseGap } from './choose-gap.ts';

/** Moves a space into a collection of its organization (null: to its top level), to a position among its children. */
export async function moveSpace(
  { db }: { readonly db: Db },
  spaceId: string,
  target: { readonly parentId: string | null | undefined; readonly position: Position | undefined },
): Promise<SpaceRow> {
  return await db.transaction(async (tx) => {
    const before = await loadSpace(tx, spaceId);
    if (!before || !(await lockOrganization(tx, before.organizationId))) throw notFound('space with this id');
    const space = await loadSpace(tx, spaceId);
    if (space?.organizationId !== before.organizationId) throw notFound('space with this id');
    const { organizationId } = space;
    const parentId = target.parentId === undefined ? space.parentId : target.parentId;
    const siblings = await listSiblings(tx, organizationId, parentId);
    const isThere = parentId === space.parentId;
    const gap = chooseGap(siblings, { id: space.id, isThere }, target.position);
    await updateSpaceParent(tx, space.id, {
      parentId,
      position: positionBetween(organizationId, gap.before, gap.after),
      visibility: visibilityIn(parentId, space.visibility),
    });
    await shortenPositions(tx, organizationId);
    const moved = await loadSpace(tx, space.id);
    if (!moved) throw notFound('space with this id');
    return moved;
  });
}

/** A space outside every collection cannot be visible through one. */
export function visibilityIn(parentId: string | null, visibility: string): string {
  return parentId === null && visibility === 'in-collection' ? 'private' : visibility;
}
