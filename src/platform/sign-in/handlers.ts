import Type from 'typebox';
import type { Team } from '../../contract/index.ts';
import { oidcServiceOf, serviceOf } from '../../identity/index.ts';
import {
  type IdentityProviderRow,
  listEmailDomains,
  listIdentityProviders,
  listUnconfirmedAccounts,
  loadIdentityProvider,
  loadTeam,
  type ProviderKind,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { accessOf } from '../access/require-role.ts';
import { allows, organizationRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, type PagingQuery, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { viewTeams } from '../teams/view-teams.ts';
import { changeOidcProvider, createOidcProvider } from './change-oidc-provider.ts';
import { removeProvider } from './change-provider.ts';
import { changeSamlProvider, createSamlProvider } from './change-saml-provider.ts';
import { claimDomain, proveDomain, toDomain, withdrawDomain } from './email-domains.ts';
import { presentEmailDomain } from './present-email-domain.ts';
import { presentOidcProvider } from './present-oidc-provider.ts';
import { presentSamlProvider } from './present-saml-provider.ts';
import { presentUnconfirmedAccount, releaseUnconfirmedAccount } from './unconfirmed-accounts.ts';

const KINDS: Readonly<Record<ProviderKind, string>> = { saml: 'SAML', oidc: 'OpenID Connect' };

/** Of the logins that an organization lists at once; it has no more providers than that in fact. */
const MOST_LOGINS = 100;

const DomainKey = Type.Tuple([Type.String({ maxLength: 253 })]);

export function signInHandlers(deps: PlatformDeps): HandlersOf<'sign-in'> {
  const { db, publicUrl } = deps;

  const requireAdmin = async (caller: Caller, organizationId: string) =>
    (await requireOrganization(db, caller, organizationId, 'admin')).organization.id;

  async function findProvider(
    kind: ProviderKind,
    organizationId: string,
    id: string,
  ): Promise<IdentityProviderRow | null> {
    const row = await loadIdentityProvider(db, id);
    return row?.organizationId === organizationId && row.kind === kind ? row : null;
  }

  async function requireProvider(
    kind: ProviderKind,
    caller: Caller,
    organizationId: string,
    id: string,
  ): Promise<IdentityProviderRow> {
    await requireAdmin(caller, organizationId);
    const row = await findProvider(kind, organizationId, id);
    if (row === null) throw notFound(`${KINDS[kind]} provider with this id in this organization`);
    return row;
  }

  async function present<T>(
    caller: Caller,
    row: IdentityProviderRow,
    shape: (row: IdentityProviderRow, team: Team | null, publicUrl: string) => T,
  ): Promise<T> {
    const { organizationId, defaultTeamId } = row;
    const team = defaultTeamId && (await loadTeam(db, organizationId, defaultTeamId, caller.user.id));
    if (!team) return shape(row, null, publicUrl);
    const view = await viewTeams(deps, caller, organizationId, [team]);
    return shape(row, view(team), publicUrl);
  }

  async function listProviders<T>(
    kind: ProviderKind,
    caller: Caller,
    organizationId: string,
    query: PagingQuery,
    shape: Parameters<typeof present<T>>[2],
  ) {
    await requireAdmin(caller, organizationId);
    const limit = limitOf(query);
    const list = `${KINDS[kind]} providers of ${organizationId}`;
    const after = readAgeCursor(list, query);
    const { count, rows } = await listIdentityProviders(db, organizationId, {
      kind,
      after,
      limit: limit + 1,
    });
    const presented = new Map(
      await Promise.all(rows.map(async (row) => [row.id, await present(caller, row, shape)] as const)),
    );
    return toList(
      { count, rows },
      { list, limit, keyOf: ageKeyOf, present: (row) => presented.get(row.id) as T },
    );
  }

  return {
    listSamlProviders: ({ caller, params, query }) =>
      listProviders('saml', caller, params.organizationId, query, presentSamlProvider),

    async createSamlProvider({ caller, params, body }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const row = await createSamlProvider(deps, caller, organizationId, body);
      return await present(caller, row, presentSamlProvider);
    },

    async getSamlProvider({ caller, params }) {
      const row = await requireProvider('saml', caller, params.organizationId, params.samlProviderId);
      return await present(caller, row, presentSamlProvider);
    },

    async updateSamlProvider({ caller, params, body }) {
      const row = await requireProvider('saml', caller, params.organizationId, params.samlProviderId);
      return await present(caller, await changeSamlProvider(deps, caller, row, body), presentSamlProvider);
    },

    async deleteSamlProvider({ caller, params }) {
      await requireAdmin(caller, params.organizationId);
      const row = await findProvider('saml', params.organizationId, params.samlProviderId);
      if (row !== null) await removeProvider(deps, caller, row);
    },

    listOidcProviders: ({ caller, params, query }) =>
      listProviders('oidc', caller, params.organizationId, query, presentOidcProvider),

    async createOidcProvider({ caller, params, body }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const row = await createOidcProvider(deps, caller, organizationId, body);
      return await present(caller, row, presentOidcProvider);
    },

    async getOidcProvider({ caller, params }) {
      const row = await requireProvider('oidc', caller, params.organizationId, params.oidcProviderId);
      return await present(caller, row, presentOidcProvider);
    },

    async updateOidcProvider({ caller, params, body }) {
      const row = await requireProvider('oidc', caller, params.organizationId, params.oidcProviderId);
      return await present(caller, await changeOidcProvider(deps, caller, row, body), presentOidcProvider);
    },

    async deleteOidcProvider({ caller, params }) {
      await requireAdmin(caller, params.organizationId);
      const row = await findProvider('oidc', params.organizationId, params.oidcProviderId);
      if (row !== null) await removeProvider(deps, caller, row);
    },

    async listSsoLogins({ caller, params }) {
      // Who has yet to pass the single sign-on is who needs it.
      const { afterSso } = accessOf(caller, params.organizationId);
      if (!allows(afterSso, organizationRights.view)) throw notFound('organization with this id');
      const { rows } = await listIdentityProviders(db, params.organizationId, {
        kind: null,
        after: null,
        limit: MOST_LOGINS,
      });
      return {
        items: rows.map(({ id, label, kind }) => {
          const { startURL } = kind === 'oidc' ? oidcServiceOf(publicUrl, id) : serviceOf(publicUrl, id);
          return { id, label, startURL };
        }),
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

    async listUnconfirmedAccounts({ caller, params, query }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      const limit = limitOf(query);
      const list = `unconfirmed accounts of ${organizationId}`;
      const after = readAgeCursor(list, query);
      const found = await listUnconfirmedAccounts(db, organizationId, { after, limit: limit + 1 });
      return toList(found, { list, limit, keyOf: ageKeyOf, present: presentUnconfirmedAccount });
    },

    async releaseUnconfirmedAccount({ caller, params }) {
      const organizationId = await requireAdmin(caller, params.organizationId);
      await releaseUnconfirmedAccount(db, caller, organizationId, params.userId);
    },
  };
}
