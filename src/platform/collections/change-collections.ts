import type { Position } from '../../contract/index.ts';
import {
  type CollectionRow,
  type Db,
  insertCollection,
  listSiblings,
  listSpacesOf,
  loadCollection,
  loadCollectionLevels,
  lockOrganization,
  newId,
  positionBetween,
  removeCollection,
  removeSharing,
  shortenPositions,
  transferCollections,
  updateCollectionParent,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireNoOpenOperations } from '../access/require-movable.ts';
import { allows } from '../access/roles.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { chooseGap } from '../spaces/choose-gap.ts';
import { checkNesting, listNested } from './collection-tree.ts';

type Deps = { readonly db: Db };

/** Creates a collection at the end of its parent (null: the organization). */
export async function createCollection(
  { db }: Deps,
  collection: Pick<CollectionRow, 'organizationId' | 'parentId' | 'title'>,
): Promise<CollectionRow> {
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, collection.organizationId);
    const all = await loadCollectionLevels(tx, collection.organizationId);
    if (collection.parentId !== null && !all.some(({ id }) => id === collection.parentId)) {
      throw notFound('collection with this id in this organization');
    }
    checkNesting(all, null, collection.parentId);
    return await insertCollection(tx, { id: newId(), ...collection });
  });
}

/** Moves a collection within its organization. */
export async function moveCollection(
  { db }: Deps,
  id: string,
  target: { readonly parentId: string | null | undefined; readonly position: Position | undefined },
): Promise<CollectionRow> {
  return await db.transaction(async (tx) => {
    const collection = await lockCollection(tx, id);
    if (!collection) throw notFound('collection with this id');
    const { organizationId } = collection;
    const parentId = target.parentId === undefined ? collection.parentId : target.parentId;
    checkNesting(await loadCollectionLevels(tx, organizationId), id, parentId);
    const siblings = await listSiblings(tx, organizationId, parentId);
    const isThere = parentId === collection.parentId;
    const gap = chooseGap(siblings, { id, isThere }, target.position);
    await updateCollectionParent(tx, id, {
      parentId,
      position: positionBetween(organizationId, gap.before, gap.after),
    });
    await shortenPositions(tx, organizationId);
    return await reload(tx, id);
  });
}

/** Deletes a collection; its contents move up to its position. Null, and nothing is done, if it is already deleted. */
export async function deleteCollection({ db }: Deps, id: string): Promise<CollectionRow | null> {
  return await db.transaction(async (tx) => {
    const collection = await lockCollection(tx, id);
    if (!collection) return null;
    const siblings = await listSiblings(tx, collection.organizationId, collection.parentId);
    const next = siblings[siblings.findIndex((sibling) => sibling.id === id) + 1];
    await removeCollection(tx, collection, next?.position ?? null);
    await shortenPositions(tx, collection.organizationId);
    return collection;
  });
}

/** Transfers a collection, with everything in it, to another organization. */
export async function transferCollection(
  { db }: Deps,
  caller: Caller,
  collection: CollectionRow,
  organizationId: string,
): Promise<CollectionRow> {
  const from = collection.organizationId;
  if (from === organizationId) {
    throw new ApiError(
      'nothing-to-change',
      'The collection is already in this organization, so nothing would change.',
    );
  }
  return await db.transaction(async (tx) => {
    for (const id of [from, organizationId].toSorted()) await lockOrganization(tx, id);
    const ids = listNested(await loadCollectionLevels(tx, from), collection.id);
    const spaces = await listSpacesOf(tx, ids);
    const accessMap = await loadAccessMap(tx, from, caller.membershipIn(from));
    const effectiveRoles = [
      ...ids.map((id) => accessMap.roleInCollection(id)),
      ...spaces.map((space) => accessMap.roleInSpace(space)),
    ];
    if (!effectiveRoles.every((effectiveRole) => allows(effectiveRole, 'admin'))) {
      throw new ApiError(
        'not-administrator-of-all',
        'It cannot be transferred: you do not administer everything in this collection.',
      );
    }
    const spaceIds = spaces.map((space) => space.id);
    await requireNoOpenOperations(tx, spaceIds);
    await removeSharing(tx, { spaceIds, collectionIds: ids });
    await transferCollections(tx, collection.id, ids, { organizationId, parentId: null });
    return await reload(tx, collection.id);
  });
}

/** Locks the organization of a collection and returns the collection; null if it no longer exists there. */
async function lockCollection(tx: Db, id: string): Promise<CollectionRow | null> {
  const before = await loadCollection(tx, id);
  if (!before) return null;
  await lockOrganization(tx, before.organizationId);
  const locked = await loadCollection(tx, id);
  return locked?.organizationId === before.organizationId ? locked : null;
}

async function reload(tx: Db, id: string): Promise<CollectionRow> {
  const row = await loadCollection(tx, id);
  if (!row) throw notFound('collection with this id');
  return row;
}
