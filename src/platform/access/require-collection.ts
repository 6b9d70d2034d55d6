import { type CollectionRow, type Db, loadCollection, loadLevels } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { effectiveRoleAt } from './effective-role.ts';
import { allows, type CollectionRight, collectionRights, type EffectiveRole } from './roles.ts';

/** The collection, where the caller has this right; 404 when they may not see it, 403 when they may see but not do this. */
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

/** The collection, where the caller may see it, or null. */
export async function findCollection(
  db: Db,
  caller: Caller,
  collectionId: string,
): Promise<{ collection: CollectionRow; effectiveRole: EffectiveRole } | null> {
  const collection = await loadCollection(db, collectionId);
  if (!collection) return null;
  const membership = caller.membershipIn(collection.organizationId);
  const levels = membership.member === 'none' ? [] : await loadLevels(db, collection.id);
  const effectiveRole = effectiveRoleAt(membership, { visibility: 'private', levels });
  return allows(effectiveRole, collectionRights.view) ? { collection, effectiveRole } : null;
}

/** Throws a 403 where a caller who may see the collection lacks this right in it. */
export function requireCollectionRight(effectiveRole: EffectiveRole, right: CollectionRight): void {
  const needed = collectionRights[right];
  if (allows(effectiveRole, needed)) return;
  throw new ApiError(
    'role-too-low',
    `Your role in this collection is ${effectiveRole}, and this takes the role ${needed}.`,
  );
}
