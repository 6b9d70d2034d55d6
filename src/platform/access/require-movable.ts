import { type Db, hasOpenOperations } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { findCollection, requireCollectionRight } from './require-collection.ts';
import { requireOrganization } from './require-organization.ts';

/** Throws if the caller may not put anything into a collection of an organization, or at its top level (`parentId` null). */
export async function requireTarget(
  db: Db,
  caller: Caller,
  organizationId: string,
  parentId: string | null,
): Promise<void> {
  if (parentId === null) {
    await requireOrganization(db, caller, organizationId, 'createContent');
    return;
  }
  const found = await findCollection(db, caller, parentId);
  if (found?.collection.organizationId !== organizationId) {
    throw notFound('collection with this id in this organization');
  }
  requireCollectionRight(found.effectiveRole, 'create');
}

/** Throws a 412 while a git operation of one of the spaces is open: its credentials belong to this organization. */
export async function requireNoOpenOperations(db: Db, spaceIds: readonly string[]): Promise<void> {
  if (await hasOpenOperations(db, spaceIds)) {
    throw new ApiError(
      'git-operation-open',
      'It cannot be transferred while a git operation is waiting or running; try again when it has finished.',
    );
  }
}
