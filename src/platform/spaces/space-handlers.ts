import type { Space } from '../../contract/index.ts';
import { countChangeRequests } from '../../store/change-requests.ts';
import {
  listSpaces,
  loadAnySpace,
  markSpaceDeleted,
  type SpaceRow,
  updateSpace,
} from '../../store/spaces.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireSpace, requireSpaceRight } from '../access/require-space.ts';
import { allows, type Standing, spaceRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { invalid, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handlers.ts';
import type { PlatformDeps } from '../deps.ts';
import { createSpace } from './create-space.ts';
import { presentSpace } from './present-space.ts';

export function spaceHandlers(
  deps: PlatformDeps,
): HandlersOf<'listSpaces' | 'createSpace' | 'getSpace' | 'updateSpace' | 'deleteSpace'> {
  const { db, publicUrl } = deps;

  async function present(row: SpaceRow, standing: Standing): Promise<Space> {
    const counts = await countChangeRequests(db, [row.id]);
    return presentSpace(row, standing, publicUrl, counts.get(row.id));
  }

  return {
    async listSpaces({ caller, params, query }) {
      const { organization, standing } = await requireOrganization(db, caller, params.organizationId, 'view');
      const limit = limitOf(query);
      const after = readAgeCursor('spaces', query);
      // A guest sees only what is shared with them, and nothing can be shared yet.
      const found = allows(standing, spaceRights.view)
        ? await listSpaces(db, organization.id, { after, limit: limit + 1 })
        : { count: 0, rows: [] };
      const counts = await countChangeRequests(
        db,
        found.rows.map((row) => row.id),
      );
      return toList(found, {
        list: 'spaces',
        limit,
        keyOf: ageKeyOf,
        present: (row) => presentSpace(row, standing, publicUrl, counts.get(row.id)),
      });
    },

    async createSpace({ caller, params, body }) {
      const { organization, standing } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        'createContent',
      );
      if (body.parent !== undefined) throw invalid('/body/parent', 'names no collection that you may see');
      const row = await createSpace(db, {
        organizationId: organization.id,
        title: body.title,
        emoji: body.emoji,
        language: body.language,
        editMode: body.editMode,
      });
      return presentSpace(row, standing, publicUrl);
    },

    async getSpace({ caller, params }) {
      const { space, standing } = await requireSpace(db, caller, params.spaceId, 'view');
      return await present(space, standing);
    },

    async updateSpace({ caller, params, body }) {
      const { space, standing } = await requireSpace(db, caller, params.spaceId, 'admin');
      const row = await updateSpace(db, space.id, body);
      if (!row) throw notFound('space with this id');
      return await present(row, standing);
    },

    async deleteSpace({ caller, params }) {
      // A space that is not there, was deleted before or is hidden from the caller answers alike.
      const space = await loadAnySpace(db, params.spaceId);
      const standing = space ? caller.standingIn(space.organizationId) : 'none';
      if (!space || !allows(standing, spaceRights.view)) return;
      requireSpaceRight(standing, 'admin');
      await markSpaceDeleted(db, space.id);
    },
  };
}
