import { type CollectionRow, type Db, loadCollection, loadSharing } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { accessOf, requireRole, sees } from './require-role.ts';
import { type CollectionRight, collectionRights, type EffectiveRole } from './roles.ts';

/** Returns the collection if the caller has this right in it; throws a 404 if they may not see it, else a 403. */
export async function requireCollection(
  db: Db,
  caller: Caller,
  collectionId: string,
  right: CollectionRight,
): Promise<{ collection: CollectionRow; effectiveRole: EffectiveRole }> {
  const found = await findCollection(db, caller, collectionId);
  if (!found) throw notFound('collection with this id');
  requireCollectionRight(found.effectiveRole, right);
  return found;
}

/**
 * Returns the collection if the caller may see it, else null.
 *
 * @throws {ApiError} 403 if they will see it once they have passed the single sign-on
 */
export async function findCollection(
  db: Db,
  caller: Caller,
  collectionId: string,
): Promise<{ collection: CollectionRow; effectiveRole: EffectiveRole } | null> {
  const collection = await loadCollection(db, collectionId);
  if (!collection) return null;
  const { organizationId } = collection;
  const { userId, member } = caller.membershipAfterSso(organizationId);
  if (member === 'none') return null;
  const at = { organizationId, spaceId: null, collectionId: collection.id };
  const { levels, grants } = await loadSharing(db, at, userId);
  const access = accessOf(caller, organizationId, { space: null, collections: levels, grants });
  if (!sees(access, collectionRights.view)) return null;
  caller.noteSeen(organizationId);
  return { collection, effectiveRole: access.role };
}

/** Throws a 403 if a caller who may see the collection lacks this right in it. */
export function requireCollectionRight(effectiveRole: EffectiveRole, right: CollectionRight): void {
  requireRole(effectiveRole, collectionRights[right], 'collection');
}
