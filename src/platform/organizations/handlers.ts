import { insertOrganization, listOrganizations, newId, recordAudit } from '../../store/index.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { allows } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { changeOrganization } from './change-organization.ts';
import { presentOrganization } from './present-organization.ts';
import { presentUser } from './present-user.ts';

export function organizationHandlers(deps: PlatformDeps): HandlersOf<'organizations'> {
  const { db, publicUrl } = deps;
  return {
    async listOrganizations({ caller, query }) {
      const limit = limitOf(query);
      const after = readAgeCursor('organizations', query);
      const found = await listOrganizations(db, caller.organizationIds, { after, limit: limit + 1 });
      return toList(found, {
        list: 'organizations',
        limit,
        keyOf: ageKeyOf,
        present: (row) => presentOrganization(row, caller.roleIn(row.id), publicUrl),
      });
    },

    async createOrganization({ caller, body }) {
      if (caller.bound) {
        throw new ApiError(
          'token-bound',
          'This token is bound to one organization, so it cannot create another.',
        );
      }
      if (caller.limit !== null && !allows(caller.limit, 'create')) {
        throw new ApiError(
          'role-too-low',
          `This token has the role ${caller.limit}, and this requires the role create.`,
        );
      }
      const row = await db.transaction(async (tx) => {
        const created = await insertOrganization(tx, {
          id: newId(),
          title: body.title,
          adminId: caller.user.id,
        });
        await recordAudit(tx, {
          organizationId: created.id,
          action: 'organization.create',
          actor: caller.actor,
          target: { kind: 'organization', id: created.id, name: created.title },
        });
        return created;
      });
      return presentOrganization(row, caller.limit ?? 'admin', publicUrl);
    },

    async getOrganization({ caller, params }) {
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        'view',
      );
      return presentOrganization(organization, effectiveRole, publicUrl);
    },

    async updateOrganization({ caller, params, body }) {
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        'admin',
      );
      const row = await changeOrganization(deps, caller, organization.id, body);
      return presentOrganization(row, effectiveRole, publicUrl);
    },

    async getUser({ caller }) {
      return presentUser(caller.user, publicUrl);
    },
  };
}
