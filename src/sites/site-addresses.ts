import { addressBelow, type SiteServing, siteAddress, siteLocationOf } from '../platform/index.ts';
import type { ServedSite } from './served-sites.ts';

/** The addresses of a site, as its pages write them. */
export interface SiteAddresses {
  /** @param paths below the site, each decoded and without slashes at its ends */
  below(...paths: readonly string[]): string;
  /** The same, whole and as readers and search engines shall know it. */
  canonical(...paths: readonly string[]): string;
}

/**
 * The addresses of a site as a request sees them: those of its proxy where it has one, since the proxy leads here; else
 * below the path at which it was reached.
 *
 * @param reachedAt the path below which the request found the site, without a slash at its end
 * @param inside below the site, such as where a preview of it is; without slashes at its ends
 */
export function siteAddressesAt(
  serving: SiteServing,
  served: ServedSite,
  reachedAt: string,
  inside = '',
): SiteAddresses {
  const known = siteAddress(serving, siteLocationOf(served));
  const base = `${served.site.proxy === null ? `${reachedAt}/` : known}${inside === '' ? '' : `${inside}/`}`;
  return {
    below: (...paths) => withoutSlash(addressBelow(base, ...paths)),
    canonical: (...paths) => withoutSlash(addressBelow(known, ...paths)),
  };
}

/** A site has a slash at its end only where it is the root of its host. */
function withoutSlash(address: string): string {
  return /^(?:https?:\/\/[^/]+)?\/$/.test(address) ? address : address.replace(/\/$/, '');
}
