import type { SamlProvider, Team } from '../../contract/index.ts';
import { serviceOf } from '../../identity/index.ts';
import type { IdentityProviderRow } from '../../store/index.ts';
import { toRole } from '../access/roles.ts';

/** The public fields of a SAML provider. `defaultTeam` is null when there is none, or it is gone. */
export function presentSamlProvider(
  row: IdentityProviderRow,
  defaultTeam: Team | null,
  publicUrl: string,
): SamlProvider {
  const [certificate = '', nextCertificate] = row.certificates;
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ssoURL: row.ssoUrl ?? 'about:blank',
    entityID: row.entityId ?? '',
    certificate,
    ...(nextCertificate === undefined ? {} : { nextCertificate }),
    ...(defaultTeam === null ? {} : { defaultTeam }),
    defaultRole: row.defaultRole === null ? null : toRole(row.defaultRole),
    createdAt: row.createdAt.toISOString(),
    status: row.status === 'active' ? 'active' : 'pending',
    service: serviceOf(publicUrl, row.id),
    urls: { location: `${publicUrl}/v1/orgs/${row.organizationId}/saml/${row.id}` },
  };
}
