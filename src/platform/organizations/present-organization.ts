import type { Organization } from '../../contract/index.ts';
import type { OrganizationRow } from '../../store/organizations.ts';
import { organizationRights, permissionsOf, type Standing } from '../access/roles.ts';

/** The public fields of an organization. Settings that this version does not have answer their defaults. */
export function presentOrganization(
  row: OrganizationRow,
  standing: Standing,
  publicUrl: string,
): Organization {
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    emailDomains: [],
    type: 'business',
    useCase: 'productDocs',
    defaultRole: null,
    sso: false,
    ai: false,
    inviteLinks: false,
    mergeRules: { type: 'inherit' },
    urls: { location: `${publicUrl}/v1/orgs/${row.id}`, app: `${publicUrl}/orgs/${row.id}` },
    permissions: permissionsOf(organizationRights, standing),
  };
}
