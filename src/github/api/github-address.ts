/** Which GitHub: github.com where `host` is null, else an enterprise server or a subdomain of ghe.com. */
export interface GitHubAddress {
  /** Host and port of an enterprise server, or `SUBDOMAIN.ghe.com`. */
  readonly host: string | null;
  readonly protocol: 'https' | 'http';
}

/** The address of its web pages, without a slash at the end. */
export function webAddress({ host, protocol }: GitHubAddress): string {
  return host === null ? 'https://github.com' : `${protocol}://${host}`;
}

/** An enterprise in GitHub's cloud whose data stays in a region. */
const RESIDENT = /^[a-z\d-]+\.ghe\.com$/i;

/**
 * Where its REST API is. https://docs.github.com/enterprise-server@latest/rest/quickstart and, for enterprises with data
 * residency, https://docs.github.com/enterprise-cloud@latest/admin/data-residency/network-details-for-ghecom
 */
export function apiAddress({ host, protocol }: GitHubAddress): string {
  if (host === null) return 'https://api.github.com';
  return RESIDENT.test(host) ? `https://api.${host}` : `${protocol}://${host}/api/v3`;
}

/** The host name for messages. */
export function hostName({ host }: GitHubAddress): string {
  return host ?? 'github.com';
}
