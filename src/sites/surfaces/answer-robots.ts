import { isIndexed } from '../content/search-engines.ts';
import type { SiteRequest } from '../site-request.ts';
import { sendCached } from './cached-answer.ts';

/** `robots.txt` (RFC 9309), which programs read only at the root of a host. */
export async function answerRobots(site: SiteRequest): Promise<boolean> {
  return await sendCached(site, ['robots'], async () => {
    const rules = isIndexed(site.served.site)
      ? `Allow: /\n\nSitemap: ${site.addresses.canonical('sitemap.xml')}\n`
      : 'Disallow: /\n';
    return { text: `User-agent: *\n${rules}`, contentType: 'text/plain; charset=utf-8' };
  });
}
