import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type PlatformDeps, siteAddress, siteLocationOf } from '../platform/index.ts';
import { listSitesBelowOwnHost } from '../store/index.ts';
import { cachingOf } from './site-request.ts';

/** Sitemaps that are named; search engines read no more than 500 KiB of the file (RFC 9309). */
const MAX_SITEMAPS = 1_000;

/** How long the sitemaps are named without asking whether they changed. In milliseconds. */
const FRESH_MS = 1_000;

const CACHING = cachingOf({ isForEverybody: true });

/**
 * `robots.txt` at the root of this server's own host, below which sites are that have no host of their own. Only the API is
 * not to be read: the pages of the team say `noindex`, and whoever may not read them would not learn that.
 */
export function registerRobots(fastify: FastifyInstance, platform: PlatformDeps): void {
  const texts = new LRUCache<string, string>({
    max: 1,
    ttl: FRESH_MS,
    fetchMethod: async () => await write(platform),
  });
  fastify.get('/robots.txt', async (_request, reply) => {
    const text = await texts.forceFetch('robots');
    return reply.header('cache-control', CACHING).type('text/plain; charset=utf-8').send(text);
  });
}

async function write(platform: PlatformDeps): Promise<string> {
  const found = platform.sitesUrl === null ? await listSitesBelowOwnHost(platform.db, MAX_SITEMAPS) : [];
  const sitemaps = found.map(
    (site) => `Sitemap: ${siteAddress(platform, siteLocationOf(site))}sitemap.xml\n`,
  );
  return `User-agent: *\nDisallow: /v1/\n${sitemaps.length === 0 ? '' : '\n'}${sitemaps.join('')}`;
}
