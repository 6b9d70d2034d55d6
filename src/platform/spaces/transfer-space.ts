import {
  type Db,
  lockOrganization,
  positionAtEnd,
  removeSharing,
  type SpaceRow,
  updateSpaceParent,
} from '../../store/index.ts';
import { requireNoOpenOperations } from '../access/require-movable.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { visibilityIn } from './move-space.ts';

/** Moves a space to the end of another organization or of a collection there. */
export async function transferSpace(
  { db }: { readonly db: Db },
  space: SpaceRow,
  target: { readonly organizationId: string; readonly parentId: string | null },
): Promise<SpaceRow> {
  const { organizationId, parentId } = target;
  const isSameOrganization = space.organizationId === organizationId;
  if (isSameOrganization && (parentId === null || parentId === space.parentId)) {
    throw new ApiError('nothing-to-change', 'The space is already there, so nothing would change.');
  }
  return await db.transaction(async (tx) => {
    // In a fixed order, so that two opposite transfers do not deadlock.
    for (const id of [space.organizationId, organizationId].toSorted()) await lockOrganization(tx, id);
    await requireNoOpenOperations(tx, [space.id]);
    const row = await updateSpaceParent(tx, space.id, {
      organizationId,
      parentId,
      position: positionAtEnd(organizationId),
      visibility: visibilityIn(parentId, space.visibility),
      ...(isSameOrganization ? {} : { mergeRules: null }),
    });
    if (!row) throw notFound('space with this id');
    if (!isSameOrganization) await removeSharing(tx, { spaceIds: [row.id], collectionIds: [] });
    return row;
  });
}
