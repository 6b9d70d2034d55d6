import type { IncomingMessage } from 'node:http';
import type { Database } from '../store/index.ts';
import { listSiteHostnames } from '../store/index.ts';

/** Begins the paths to which requests for hosts of sites are rewritten. See {@link SiteHosts.isRewritten}. */
export const HOST_ROUTES = { organization: '/~sites/org', own: '/~sites/host' } as const;

/** How often the hosts of sites are read. In milliseconds. */
const REFRESH_MS = 1_000;

/** Which hosts are those of sites: all paths there belong to the site. */
export interface SiteHosts {
  /** Whose host it is, in lower case and without a port: a site's, or an organization's by its label, if there is one. */
  find(host: string): 'site' | { readonly organization: string } | null;
  /** For Fastify: the path at which a request is answered. */
  rewriteUrl(request: Pick<IncomingMessage, 'url' | 'headers'>): string;
  /**
   * Whether a request is for a host of sites. Others can name the same paths, in ways that only the router knows
   * (`/%7Esites/…`), and are not to be answered: what users wrote is on no other host.
   */
  isRewritten(request: object): boolean;
  /** Reads the hosts of the database, and keeps them current until it is stopped. */
  start(db: Database, onError: (error: unknown) => void): Promise<() => Promise<void>>;
}

/** @param sitesUrl `https://*.docs.example.com`; null for no wildcard */
export function createSiteHosts(sitesUrl: string | null): SiteHosts {
  const wildcard = sitesUrl === null ? null : new URL(sitesUrl).hostname.slice(1);
  let own: ReadonlySet<string> = new Set();
  const rewritten = new WeakSet<object>();

  function find(host: string): ReturnType<SiteHosts['find']> {
    if (own.has(host)) return 'site';
    if (wildcard === null || !host.endsWith(wildcard)) return null;
    const label = host.slice(0, -wildcard.length);
    return /^[a-z0-9-]+$/.test(label) ? { organization: label } : null;
  }

  function routeOf(host: string): string | null {
    const found = find(host);
    if (found === null) return null;
    return found === 'site'
      ? `${HOST_ROUTES.own}/${host}`
      : `${HOST_ROUTES.organization}/${found.organization}`;
  }

  return {
    find,
    rewriteUrl(request) {
      const { url = '/', headers } = request;
      const route = routeOf((headers.host ?? '').toLowerCase().replace(/:\d+$/, ''));
      if (route === null) return url;
      rewritten.add(request);
      return route + (url.startsWith('/') ? url : '/');
    },
    isRewritten: (request) => rewritten.has(request),
    async start(db, onError) {
      own = new Set(await listSiteHostnames(db));
      let pending: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        pending = listSiteHostnames(db).then((hosts) => {
          own = new Set(hosts);
        }, onError);
      }, REFRESH_MS);
      timer.unref();
      return async () => {
        clearInterval(timer);
        await pending;
      };
    },
  };
}
