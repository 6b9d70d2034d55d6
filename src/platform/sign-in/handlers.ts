import Type from 'typebox';
import { serviceOf } from '../../identity/index.ts';
import {
  type IdentityProviderRow,
  listEmailDomains,
  listIdentityProviders,
  loadIdentityProvider,
  loadTeam,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { viewTeams } from '../teams/view-teams.ts';
import { changeSamlProvider, createSamlProvider, removeSamlProvider } from './change-saml-provider.ts';
import { claimDomain, proveDomain, toDomain, withdrawDomain } from './email-domains.ts';
import { presentEmailDomain } from './present-email-domain.ts';
import { presentSamlProvider } from './present-saml-provider.ts';

interface Params {
  readonly organizationId: string;
  readonly samlProviderId: string;
}

/** Of the logins that an organization lists at once; it has no more providers than that in fact. */
const MOST_LOGINS = 100;

const DomainKey = Type.Tuple([Type.String({ maxLength: 253 })]);

export function signInHandlers(deps: PlatformDeps): HandlersOf<'sign-in'> {
  const { db, publicUrl } = deps;

  const requireAdmin = async (caller: Caller, organizationId: string) =>
    (await requireOrganization(db, caller, organizationId, 'admin')).organization.id;

  async function findProvider({
    organizationId,
    samlProviderId,
  }: Params): Promise<IdentityProviderRow | null> {
    const row = await loadIdentityProvider(db, samlProviderId);
    return row?.organizationId === organizationId && row.kind === 'saml' ? row : null;
  }

  async function requireProvider(caller: Caller, params: Params): Promise<IdentityProviderRow> {
    await requireAdmin(caller, params.organizationId);
    const row = await findProvider(params);
    if (row === null) throw notFound('SAML provider with this id in this organization');
    return row;
  }

  async function present(caller: Caller, row: IdentityProviderRow) {
    const { organizationId, defaultTeamId } = row;
    const team = defaultTeamId && (await loadTeam(db, organizationId, defaultTeamId, caller.user.id));
    if (!team) return presentSamlProvider(row, null, publicUrl);
    const view = await viewTeams(deps, caller, organizationId, [team]);
    return presentSamlProvider(row, view(team), publicUrl);
  }

  return {
    async listSamlProviders({ caller, params, query }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const limit = limitOf(query);
      const list = `SAML providers of ${organizationId}`;
      const after = readAgeCursor(list, query);
      const { count, rows } = await listIdentityProviders(db, organizationId, {
        kind: 'saml',
        after,
        limit: limit + 1,
      });
      const presented = new Map(
        await Promise.all(rows.map(async (row) => [row.id, await present(caller, row)] as const)),
      );
      return toList(
        { count, rows },
        {
          list,
          limit,
          keyOf: ageKeyOf,
          present: (row) => presented.get(row.id) as Awaited<ReturnType<typeof present>>,
        },
      );
    },

    async createSamlProvider({ caller, params, body }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      return await present(caller, await createSamlProvider(deps, caller, organizationId, body));
    },

    async getSamlProvider({ caller, params }) {
      return await present(caller, await requireProvider(caller, params));
    },

    async updateSamlProvider({ caller, params, body }) {
      const row = await requireProvider(caller, params);
      return await present(caller, await changeSamlProvider(deps, caller, row, body));
    },

    async deleteSamlProvider({ caller, params }) {
      await requireAdmin(caller, params.organizationId);
      const row = await findProvider(params);
      if (row !== null) await removeSamlProvider(deps, caller, row);
    },

    async listSsoLogins({ caller, params }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const { rows } = await listIdentityProviders(db, organization.id, {
        kind: 'saml',
        after: null,
        limit: MOST_LOGINS,
      });
      return {
        items: rows.map(({ id, label }) => ({ id, label, startURL: serviceOf(publicUrl, id).startURL })),
      };
    },

    async listEmailDomains({ caller, params, query }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const limit = limitOf(query);
      const list = `e-mail domains of ${organizationId}`;
      const [after = null] = readCursor(list, DomainKey, query) ?? [];
      const found = await listEmailDomains(db, organizationId, { after, limit: limit + 1 });
      return toList(found, {
        list,
        limit,
        keyOf: ({ domain }): [string] => [domain],
        present: presentEmailDomain,
      });
    },

    async claimEmailDomain({ caller, params }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const domain = toDomain(params.emailDomain);
      return presentEmailDomain(await claimDomain(deps, caller, organizationId, domain));
    },

    async proveEmailDomain({ caller, params }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const domain = toDomain(params.emailDomain);
      return presentEmailDomain(await proveDomain(deps, caller, organizationId, domain));
    },

    async deleteEmailDomain({ caller, params }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      await withdrawDomain(deps, caller, organizationId, toDomain(params.emailDomain));
    },
  };
}
