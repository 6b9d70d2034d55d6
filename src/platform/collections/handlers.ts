import { type CollectionRow, listCollections, listSpaces, updateCollection } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { withStoredLevel } from '../access/default-level.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { findCollection, requireCollection, requireCollectionRight } from '../access/require-collection.ts';
import { requireTarget } from '../access/require-movable.ts';
import { requireOrganization } from '../access/require-organization.ts';
import type { EffectiveRole } from '../access/roles.ts';
import { invalid, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { positionKeyOf, readPositionCursor } from '../api/position-cursor.ts';
import type { PlatformDeps } from '../deps.ts';
import { viewSpaces } from '../spaces/view-spaces.ts';
import {
  createCollection,
  deleteCollection,
  moveCollection,
  transferCollection,
} from './change-collections.ts';
import { presentCollection } from './present-collection.ts';
import { recordCollection } from './record-collection.ts';

export function collectionHandlers(deps: PlatformDeps): HandlersOf<'collections'> {
  const { db, publicUrl } = deps;

  const present = (caller: Caller, row: CollectionRow, role: EffectiveRole) =>
    presentCollection(row, { role, inOrganization: caller.roleIn(row.organizationId) }, publicUrl);

  return {
    async listCollections({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const limit = limitOf(query);
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const found = await listCollections(db, organization.id, {
        ids: accessMap.visibleCollections(),
        nested: query.nested ?? true,
        after: readPositionCursor('collections', query),
        limit: limit + 1,
      });
      return toList(found, {
        list: 'collections',
        limit,
        keyOf: positionKeyOf,
        present: (row) =>
          presentCollection(
            row,
            { role: accessMap.roleInCollection(row.id), inOrganization: accessMap.roleInOrganization },
            publicUrl,
          ),
      });
    },

    async createCollection({ caller, params, body }) {
      const parentId = body.parent ?? null;
      const right = parentId === null ? 'createContent' : 'view';
      const { organization } = await requireOrganization(db, caller, params.organizationId, right);
      if (parentId !== null) {
        const found = await findCollection(db, caller, parentId);
        if (found?.collection.organizationId !== organization.id) {
          throw invalid('/body/parent', 'is not the id of a collection that you may see');
        }
        requireCollectionRight(found.effectiveRole, 'create');
      }
      const { title = 'Untitled collection' } = body;
      const { id } = await db.transaction(async (tx) => {
        const created = await createCollection(
          { db: tx },
          { organizationId: organization.id, parentId, title },
        );
        await recordCollection(tx, caller, 'collection.create', created);
        return created;
      });
      const { collection, effectiveRole } = await requireCollection(db, caller, id, 'view');
      return present(caller, collection, effectiveRole);
    },

    async getCollection({ caller, params }) {
      const { collection, effectiveRole } = await requireCollection(db, caller, params.collectionId, 'view');
      return present(caller, collection, effectiveRole);
    },

    async updateCollection({ caller, params, body }) {
      const { collection, effectiveRole } = await requireCollection(db, caller, params.collectionId, 'admin');
      const row = await db.transaction(async (tx) => {
        const changed = await updateCollection(tx, collection.id, withStoredLevel(body));
        if (!changed) throw notFound('collection with this id');
        await recordCollection(tx, caller, 'collection.update', changed, collection);
        return changed;
      });
      return present(caller, row, effectiveRole);
    },

    async deleteCollection({ caller, params }) {
      const found = await findCollection(db, caller, params.collectionId);
      if (!found) return;
      requireCollectionRight(found.effectiveRole, 'admin');
      await db.transaction(async (tx) => {
        const deleted = await deleteCollection({ db: tx }, found.collection.id);
        if (deleted !== null) await recordCollection(tx, caller, 'collection.delete', deleted);
      });
    },

    async listCollectionSpaces({ caller, params, query }) {
      const { collection } = await requireCollection(db, caller, params.collectionId, 'view');
      const limit = limitOf(query);
      const list = `spaces of ${collection.id}`;
      const { organizationId } = collection;
      const accessMap = await loadAccessMap(db, organizationId, caller.membershipIn(organizationId));
      const found = await listSpaces(db, organizationId, {
        selection: await accessMap.visibleSpaces(),
        parentId: collection.id,
        after: readPositionCursor(list, query),
        limit: limit + 1,
      });
      const present = await viewSpaces(deps, accessMap, found.rows);
      return toList(found, { list, limit, keyOf: positionKeyOf, present });
    },

    async moveCollection({ caller, params, body }) {
      const { collection } = await requireCollection(db, caller, params.collectionId, 'admin');
      if (body.parent !== undefined && body.parent !== collection.parentId) {
        await requireTarget(db, caller, collection.organizationId, body.parent);
      }
      await db.transaction(async (tx) => {
        const target = { parentId: body.parent, position: body.position };
        const row = await moveCollection({ db: tx }, collection.id, target);
        await recordCollection(tx, caller, 'collection.move', row, collection);
      });
      const moved = await requireCollection(db, caller, collection.id, 'view');
      return present(caller, moved.collection, moved.effectiveRole);
    },

    async transferCollection({ caller, params, body }) {
      const { collection } = await requireCollection(db, caller, params.collectionId, 'admin');
      const { organization } = await requireOrganization(db, caller, body.organization, 'view');
      if (organization.id !== collection.organizationId) {
        await requireTarget(db, caller, organization.id, null);
      }
      await db.transaction(async (tx) => {
        const row = await transferCollection({ db: tx }, caller, collection, organization.id);
        await recordCollection(tx, caller, 'collection.transfer', row, collection);
      });
      const moved = await requireCollection(db, caller, collection.id, 'view');
      return present(caller, moved.collection, moved.effectiveRole);
    },
  };
}
