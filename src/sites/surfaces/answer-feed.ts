import { html } from '../../markup/index.ts';
import { listPagesOf } from '../content/listed-pages.ts';
import type { SiteRequest } from '../site-request.ts';
import { sendCached } from './cached-answer.ts';

const MAX_ITEMS = 50;

/** `feed.xml`: the pages that changed last, the newest first, as RSS 2.0 (https://www.rssboard.org/rss-specification). */
export async function answerFeed(site: SiteRequest): Promise<boolean> {
  const { addresses, served } = site;
  return await sendCached(site, ['feed'], async () => {
    const spaces = await listPagesOf(site);
    const newest = spaces
      .flatMap(({ location, pages }) => pages.map(({ row }) => ({ location, row })))
      .toSorted((a, b) => b.row.updatedAt.getTime() - a.row.updatedAt.getTime())
      .slice(0, MAX_ITEMS);
    const items = newest.map(({ location: { siteSpace }, row }) => {
      const address = addresses.canonical(siteSpace.path, row.path);
      // The same page is news again when it changes, so what names the item is its address with the moment.
      return html`<item><title>${row.title}</title><link>${address}</link><guid isPermaLink="false">${row.id} ${row.updatedAt.toISOString()}</guid><pubDate>${row.updatedAt.toUTCString()}</pubDate>${
        row.description === null ? null : html`<description>${row.description}</description>`
      }</item>\n`;
    });
    const channel = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${served.site.title}</title><link>${addresses.canonical()}</link><description>${served.site.title}</description>
<atom:link rel="self" type="application/rss+xml" href="${addresses.canonical('feed.xml')}"/>
${items}</channel></rss>`;
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${channel.text}\n`;
    return { text, contentType: 'application/rss+xml; charset=utf-8' };
  });
}
