import type { MergeRules, Organization } from '../../contract/index.ts';
import type { OrganizationRow } from '../../store/index.ts';
import { type EffectiveRole, organizationRights, permissionsOf, toRole } from '../access/roles.ts';

/** The public fields of an organization. Settings that this version does not support have their defaults. */
export function presentOrganization(
  row: OrganizationRow,
  effectiveRole: EffectiveRole,
  publicUrl: string,
): Organization {
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    emailDomains: row.emailDomains,
    type: 'business',
    useCase: 'productDocs',
    defaultRole: row.defaultRole === null ? null : toRole(row.defaultRole),
    sso: row.sso,
    ai: row.ai,
    inviteLinks: row.inviteLinks,
    plan: 'internal',
    trial: { status: 'notapplicable', count: 0 },
    mergeRules: (row.mergeRules as MergeRules | null) ?? { type: 'inherit' },
    urls: {
      location: `${publicUrl}/v1/orgs/${row.id}`,
      app: `${publicUrl}/orgs/${row.id}`,
      ...(row.logo === null ? {} : { logo: row.logo }),
    },
    ...(row.hostname === null ? {} : { hostname: row.hostname }),
    ...(row.defaultSiteId === null
      ? {}
      : { defaultContent: { type: 'site' as const, site: row.defaultSiteId } }),
    permissions: permissionsOf(organizationRights, effectiveRole),
  };
}
