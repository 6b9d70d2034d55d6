import type { OidcProvider, Team } from '../../contract/index.ts';
import { DEFAULT_SCOPES, oidcServiceOf } from '../../identity/index.ts';
import type { IdentityProviderRow } from '../../store/index.ts';
import { toRole } from '../access/roles.ts';

/** The public fields of an OpenID Connect provider. `defaultTeam` is null when there is none, or it is gone. */
export function presentOidcProvider(
  row: IdentityProviderRow,
  defaultTeam: Team | null,
  publicUrl: string,
): OidcProvider {
  return {
    object: 'oidc-provider',
    id: row.id,
    label: row.label,
    issuer: row.issuer ?? '',
    clientID: row.clientId ?? '',
    hasClientSecret: row.sealedClientSecret !== null,
    scopes: row.scopes ?? [...DEFAULT_SCOPES],
    ...(defaultTeam === null ? {} : { defaultTeam }),
    defaultRole: row.defaultRole === null ? null : toRole(row.defaultRole),
    createdAt: row.createdAt.toISOString(),
    status: row.status === 'active' ? 'active' : 'pending',
    service: oidcServiceOf(publicUrl, row.id),
    urls: { location: `${publicUrl}/v1/orgs/${row.organizationId}/oidc/${row.id}` },
  };
}
