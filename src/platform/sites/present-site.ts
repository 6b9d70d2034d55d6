import type { Site, SiteCustomization } from '../../contract/index.ts';
import type { AddressedSite } from '../../store/index.ts';
import { type EffectiveRole, permissionsOf, siteRights } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';
import { type SiteLocation, type SiteServing, servedAddress, siteAddress } from './site-address.ts';

type Deps = Pick<PlatformDeps, keyof SiteServing>;

/** What the address of a site is made of. */
export function siteLocationOf({ site, organizationHostname }: AddressedSite): SiteLocation {
  const { organizationId, basename, proxy } = site;
  // Until its host is proved, readers find it where it would be without one.
  const hostname = site.hostnameProved ? site.hostname : null;
  return { organizationId, organizationHostname, basename, hostname, proxy };
}

/** The address at which readers find the site; null until it is published. */
export function publishedSiteAddress(deps: Deps, addressed: AddressedSite): string | null {
  return addressed.site.publishedAt === null ? null : siteAddress(deps, siteLocationOf(addressed));
}

/** The public fields of a site. */
export function presentSite(
  deps: Deps,
  addressed: AddressedSite,
  { effectiveRole, siteSpaces }: { readonly effectiveRole: EffectiveRole; readonly siteSpaces: number },
): Site {
  const { site: row } = addressed;
  const favicon = (row.customization as Partial<SiteCustomization> | null)?.favicon;
  const published = publishedSiteAddress(deps, addressed);
  return {
    object: 'site',
    id: row.id,
    type: row.type as Site['type'],
    title: row.title,
    basename: row.basename,
    visibility: row.visibility as Site['visibility'],
    published: row.publishedAt !== null,
    siteSpaces,
    createdAt: row.createdAt.toISOString(),
    adaptiveContent: { enabled: row.adaptiveContent },
    agentsContext: row.agentsContext as Site['agentsContext'],
    features: [],
    urls: {
      location: `${deps.publicUrl}/v1/orgs/${row.organizationId}/sites/${row.id}`,
      app: `${deps.publicUrl}/orgs/${row.organizationId}/sites/${row.id}`,
      ...(published === null ? { preview: siteAddress(deps, siteLocationOf(addressed)) } : { published }),
    },
    permissions: permissionsOf(siteRights, effectiveRole),
    ...(favicon !== undefined && 'icon' in favicon ? { icon: favicon as Site['icon'] & object } : {}),
    ...(row.hostname === null
      ? {}
      : {
          hostname: row.hostname,
          hostnameStatus: row.hostnameProved ? ('proved' as const) : ('pending' as const),
        }),
    ...(row.proxy === null
      ? {}
      : { proxy: { origin: row.proxy, target: servedAddress(deps, siteLocationOf(addressed)) } }),
  };
}
