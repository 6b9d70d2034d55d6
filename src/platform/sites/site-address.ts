/** What decides under which addresses this server's sites are reached. */
export interface SiteServing {
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** `https://*.docs.example.com`: hosts of organizations below a wildcard; null when sites are below `publicUrl`. */
  readonly sitesUrl: string | null;
}

/** What the address of a site is made of. */
export interface SiteLocation {
  readonly organizationId: string;
  readonly organizationHostname: string | null;
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
}

/**
 * The address of a published site, with a slash at its end: where readers are to find it. A proxy goes before a host of
 * its own, which the proxy may lead to.
 */
export function siteAddress(serving: SiteServing, site: SiteLocation): string {
  if (site.proxy !== null) return `https://${site.proxy}/`;
  if (site.hostname !== null) return `https://${site.hostname}/`;
  return servedAddress(serving, site);
}

/** The address of a site on this server's own hosts, at which it is served whatever else leads to it. */
export function servedAddress({ publicUrl, sitesUrl }: SiteServing, site: SiteLocation): string {
  return `${organizationRoot({ publicUrl, sitesUrl }, site)}${encodeURIComponent(site.basename)}/`;
}

/** The address below which an organization's sites are served, with a slash at its end. */
export function organizationRoot(
  { publicUrl, sitesUrl }: SiteServing,
  organization: Pick<SiteLocation, 'organizationId' | 'organizationHostname'>,
): string {
  const label = organizationLabel(organization);
  return sitesUrl === null ? `${publicUrl}/s/${label}/` : `${sitesUrl.replace('*', () => label)}/`;
}

/** Where a preview of a site is, below the site's address. */
export function sitePreviewPath(id: string): string {
  return `~/preview/${id}`;
}

/** The address of something below a site: of a section, a variant or a page, each by its path. */
export function addressBelow(siteUrl: string, ...paths: readonly string[]): string {
  const path = paths.filter((each) => each !== '').join('/');
  return `${siteUrl}${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Whether an address is this server's own: of its pages, or of the sites of an organization. */
export function isOwnAddress({ publicUrl, sitesUrl }: SiteServing, { host, hostname }: URL): boolean {
  const sites = sitesUrl === null ? null : new URL(sitesUrl).hostname.slice(1);
  return host === new URL(publicUrl).host || (sites !== null && hostname.endsWith(sites));
}

/** No hostname is as long as this, so none can be taken for another organization's id. */
const ID_LABEL = /^org-((?:[0-9a-f]{2}){15,32})$/;

/**
 * What stands for an organization in addresses: its hostname. One without has its id there, in hexadecimal digits, since
 * hosts have no capitals.
 */
export function organizationLabel({
  organizationId,
  organizationHostname,
}: Pick<SiteLocation, 'organizationId' | 'organizationHostname'>): string {
  return organizationHostname ?? `org-${Buffer.from(organizationId, 'utf8').toString('hex')}`;
}

/** The organization for which a label stands. One by its id may have got a hostname since. */
export function organizationOf(label: string): { readonly hostname: string } | { readonly id: string } {
  const hex = ID_LABEL.exec(label)?.[1];
  return hex === undefined ? { hostname: label } : { id: Buffer.from(hex, 'hex').toString('utf8') };
}
