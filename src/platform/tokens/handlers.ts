import {
  type ApiTokenRow,
  type Db,
  listApiTokens,
  loadApiToken,
  recordAudit,
  revokeWithMade,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { allows, toRole } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentUser } from '../organizations/present-user.ts';
import { createOwnToken } from './create-own-token.ts';
import { presentToken } from './present-token.ts';

export function tokenHandlers({ db, publicUrl }: PlatformDeps): HandlersOf<'tokens'> {
  return {
    async listTokens({ caller, query }) {
      const limit = limitOf(query);
      const { organizationId } = caller.credentials;
      const of = { userId: caller.user.id, ...(organizationId === null ? {} : { organizationId }) };
      const after = readAgeCursor('tokens', query);
      const found = await listApiTokens(db, of, { after, limit: limit + 1 });
      return toList(found, {
        list: 'tokens',
        limit,
        keyOf: ({ token }) => ageKeyOf(token),
        present: ({ token }) => presentToken(token, caller.actor.tokenId),
      });
    },

    async createToken({ caller, body }) {
      const bound = caller.credentials.organizationId;
      const organizationId = body.organization ?? bound;
      if (bound !== null && organizationId !== bound) {
        throw new ApiError(
          'beyond-own-rights',
          'Your token opens one organization only, so it cannot create a token for another.',
        );
      }
      if (organizationId !== null) await requireOrganization(db, caller, organizationId, 'view');
      const { name, role, expiresAt } = body;
      return await createOwnToken(db, caller, { name, role, scope: 'api', expiresAt, organizationId });
    },

    async revokeToken({ caller, params }) {
      const token = await loadApiToken(db, params.tokenId);
      const { organizationId } = caller.credentials;
      if (token?.userId !== caller.user.id) return;
      if (organizationId !== null && token.organizationId !== organizationId) return;
      const role = token.role === null ? 'admin' : (toRole(token.role) ?? 'admin');
      if (caller.limit !== null && !allows(caller.limit, role)) {
        throw new ApiError(
          'beyond-own-rights',
          `Your token has the role ${caller.limit}, so it cannot revoke one with the role ${role}.`,
        );
      }
      await revoke(db, caller, token);
    },

    async listOrganizationTokens({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      const limit = limitOf(query);
      const after = readAgeCursor('organization-tokens', query);
      const of = { organizationId: organization.id, scope: query.scope };
      const found = await listApiTokens(db, of, { after, limit: limit + 1 });
      return toList(found, {
        list: 'organization-tokens',
        limit,
        keyOf: ({ token }) => ageKeyOf(token),
        present: ({ token, user }) => ({
          ...presentToken(token, caller.actor.tokenId),
          user: presentUser(user, publicUrl),
        }),
      });
    },

    async createProvisioningToken({ caller, params, body }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      return await createOwnToken(db, caller, {
        ...body,
        role: null,
        scope: 'scim',
        organizationId: organization.id,
      });
    },

    async revokeOrganizationToken({ caller, params }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      const token = await loadApiToken(db, params.tokenId);
      if (token?.organizationId === organization.id) await revoke(db, caller, token);
    },
  };
}

async function revoke(db: Db, caller: Caller, token: ApiTokenRow): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, name, organizationId, userId } of await revokeWithMade(tx, token.id))
      await recordAudit(tx, {
        organizationId,
        action: 'token.revoke',
        actor: caller.actor,
        target: { kind: 'token', id, name },
        before: { owner: userId },
      });
  });
}
