import { RECENT_OPERATIONS } from '../../contract/index.ts';
import {
  listSpaces,
  loadAnySpace,
  loadRestorableSpace,
  loadSpace,
  loadSpaceActivity,
  lockSpaceForUpdate,
  markSpaceDeleted,
  restoreSpace,
  updateSpace,
} from '../../store/index.ts';
import { withStoredLevel } from '../access/default-level.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { findCollection, requireCollectionRight } from '../access/require-collection.ts';
import { requireTarget } from '../access/require-movable.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { noAccess, requireNeeded, sees } from '../access/require-role.ts';
import { loadSpaceAccess, requireSpace } from '../access/require-space.ts';
import { spaceRights } from '../access/roles.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { positionKeyOf, readPositionCursor } from '../api/position-cursor.ts';
import type { PlatformDeps } from '../deps.ts';
import { checkMergeRules } from '../organizations/check-merge-rules.ts';
import { createSpace } from './create-space.ts';
import { duplicateSpace } from './duplicate-space.ts';
import { moveSpace } from './move-space.ts';
import { presentOverview } from './present-overview.ts';
import { recordMove, recordSettings, recordSpace } from './record-space.ts';
import { transferSpace } from './transfer-space.ts';
import { viewSpace, viewSpaces } from './view-spaces.ts';

export function spaceHandlers(deps: PlatformDeps): HandlersOf<'spaces'> {
  const { db } = deps;
  return {
    async listSpaces({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const limit = limitOf(query);
      const isDeleted = query.deleted ?? false;
      const list = isDeleted ? 'deleted-spaces' : 'spaces';
      const after = readPositionCursor(list, query);
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const selection = await (isDeleted ? accessMap.restorableSpaces() : accessMap.visibleSpaces());
      const kind = isDeleted ? 'restorable' : 'live';
      const found = await listSpaces(db, organization.id, {
        selection,
        kind,
        ...(query.title === undefined ? {} : { title: query.title }),
        after,
        limit: limit + 1,
      });
      const present = await viewSpaces(deps, accessMap, found.rows);
      return toList(found, { list, limit, keyOf: positionKeyOf, present });
    },

    async listSpaceOverviews({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const limit = limitOf(query);
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const found = await listSpaces(db, organization.id, {
        selection: await accessMap.visibleSpaces(),
        after: readPositionCursor('space-overviews', query),
        limit: limit + 1,
      });
      const shown = found.rows.slice(0, limit);
      const ids = shown.map(({ id }) => id);
      const [presentSpace, activity] = await Promise.all([
        viewSpaces(deps, accessMap, shown),
        loadSpaceActivity(db, ids, RECENT_OPERATIONS),
      ]);
      return toList(found, {
        list: 'space-overviews',
        limit,
        keyOf: positionKeyOf,
        present: (row) => presentOverview(presentSpace(row), activity.get(row.id)),
      });
    },

    async createSpace({ caller, params, body }) {
      const { parent = null, ...fields } = body;
      const right = parent === null ? 'createContent' : 'view';
      const { organization } = await requireOrganization(db, caller, params.organizationId, right);
      if (parent !== null) {
        const found = await findCollection(db, caller, parent);
        if (found?.collection.organizationId !== organization.id) {
          throw invalid('/body/parent', 'is not the id of a collection that you may see');
        }
        requireCollectionRight(found.effectiveRole, 'create');
      }
      const row = await db.transaction(async (tx) => {
        const created = await createSpace(tx, {
          organizationId: organization.id,
          parentId: parent,
          ...fields,
        });
        await recordSpace(tx, caller, 'space.create', created);
        return created;
      });
      return await viewSpace(deps, caller, row);
    },

    async getSpace({ caller, params }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'view');
      return await viewSpace(deps, caller, space);
    },

    async updateSpace({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'admin');
      if (body.visibility === 'in-collection' && space.parentId === null) {
        throw invalid('/body/visibility', 'can be in-collection only for a space in a collection');
      }
      const { mergeRules, ...changes } = body;
      const row = await db.transaction(async (tx) => {
        await lockSpaceForUpdate(tx, space.id);
        const before = await loadSpace(tx, space.id);
        const changed = await updateSpace(tx, space.id, {
          ...withStoredLevel(changes),
          ...(mergeRules === undefined
            ? {}
            : { mergeRules: await checkMergeRules(tx, space.organizationId, mergeRules) }),
        });
        if (!before || !changed) throw notFound('space with this id');
        await recordSettings(tx, caller, before, changed);
        return changed;
      });
      return await viewSpace(deps, caller, row);
    },

    async deleteSpace({ caller, params }) {
      // The answer is the same for a space that does not exist, was deleted before or is hidden from the caller.
      const space = await loadAnySpace(db, params.spaceId);
      const access = space ? await loadSpaceAccess(db, caller, space) : noAccess;
      if (!space || !sees(access, spaceRights.view)) return;
      requireNeeded(access, spaceRights.admin, 'space');
      await db.transaction(async (tx) => {
        if (await markSpaceDeleted(tx, space.id)) await recordSpace(tx, caller, 'space.delete', space);
      });
    },

    async duplicateSpace({ caller, params }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'access');
      await requireTarget(db, caller, space.organizationId, space.parentId);
      const copy = await db.transaction(async (tx) => {
        const created = await duplicateSpace({ db: tx }, space.id);
        await recordSpace(tx, caller, 'space.duplicate', created, { after: { copyOf: space.id } });
        return created;
      });
      return await viewSpace(deps, caller, copy);
    },

    async restoreSpace({ caller, params }) {
      const deleted = await loadRestorableSpace(db, params.spaceId);
      const access = deleted ? await loadSpaceAccess(db, caller, deleted) : noAccess;
      if (!deleted || !sees(access, spaceRights.view)) {
        await requireSpace(db, caller, params.spaceId, 'admin');
        throw new ApiError('nothing-to-change', 'The space is not deleted, so nothing would change.');
      }
      requireNeeded(access, spaceRights.admin, 'space');
      const row = await db.transaction(async (tx) => {
        const restored = await restoreSpace(tx, deleted.id);
        if (!restored) throw notFound('space with this id');
        await recordSpace(tx, caller, 'space.restore', restored);
        return restored;
      });
      return await viewSpace(deps, caller, row);
    },

    async moveSpace({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'admin');
      if (body.parent !== undefined && body.parent !== space.parentId) {
        await requireTarget(db, caller, space.organizationId, body.parent);
      }
      const target = { parentId: body.parent, position: body.position };
      const moved = await db.transaction(async (tx) => {
        const row = await moveSpace({ db: tx }, space.id, target);
        await recordMove(tx, caller, 'space.move', space, row);
        return row;
      });
      return await viewSpace(deps, caller, moved);
    },

    async transferSpace({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'admin');
      const { organization } = await requireOrganization(db, caller, body.organization, 'view');
      const parentId = body.parent ?? null;
      if (organization.id !== space.organizationId || parentId !== null) {
        await requireTarget(db, caller, organization.id, parentId);
      }
      const target = { organizationId: organization.id, parentId };
      const moved = await db.transaction(async (tx) => {
        const row = await transferSpace({ db: tx }, space, target);
        await recordMove(tx, caller, 'space.transfer', space, row);
        return row;
      });
      return await viewSpace(deps, caller, moved);
    },
  };
}
