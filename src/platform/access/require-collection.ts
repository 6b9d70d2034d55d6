import { type CollectionRow, type Db, loadCollection, loadLevels } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { effectiveRoleAt } from './effective-role.ts';
import { requireRole } from './require-role.ts';
import { allows, type CollectionRight, collectionRights, type EffectiveRole } from './roles.ts';

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

/** Returns the collection if the caller may see it, else null. */
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

/** Throws a 403 if a caller who may see the collection lacks this right in it. */
export function requireCollectionRight(effectiveRole: EffectiveRole, right: CollectionRight): void {
  requireRole(effectiveRole, collectionRights[right], 'collection');
}
