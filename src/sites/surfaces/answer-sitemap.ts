import { html, type Markup } from '../../markup/index.ts';
import { currentVariantOf, variantsBeside } from '../content/current-variant.ts';
import { type ListedSpace, listPagesOf } from '../content/listed-pages.ts';
import { isIndexed, isPageIndexed } from '../content/search-engines.ts';
import type { SiteRequest } from '../site-request.ts';
import { sendCached } from './cached-answer.ts';

/** Of one file (https://www.sitemaps.org/protocol.html#index). */
const MAX_ADDRESSES = 50_000;

const XML = 'application/xml; charset=utf-8';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** `sitemap.xml`: the index of one sitemap for each space, as far as search engines are to know the site. */
export async function answerSitemapIndex(site: SiteRequest): Promise<boolean> {
  if (!isIndexed(site.served.site)) return false;
  return await sendCached(site, ['sitemaps'], async () => {
    const spaces = (await listCurrentPages(site)).filter(({ pages }) => pages.length > 0);
    return document(html`<sitemapindex xmlns="${NAMESPACE}">
${spaces.map(
  ({ location: { siteSpace }, pages }) =>
    html`<sitemap><loc>${site.addresses.canonical('~', 'sitemap', `${siteSpace.row.id}.xml`)}</loc><lastmod>${newest(pages)}</lastmod></sitemap>\n`,
)}</sitemapindex>`);
  });
}

/** `~/sitemap/<site-space>.xml` */
export async function answerSitemap(site: SiteRequest, name: string): Promise<boolean> {
  if (!isIndexed(site.served.site)) return false;
  const found = (await listCurrentPages(site)).find(
    ({ location }) => `${location.siteSpace.row.id}.xml` === name,
  );
  if (found === undefined) return false;
  return await sendCached(site, ['sitemap', name], async () =>
    document(html`<urlset xmlns="${NAMESPACE}">
${found.pages
  .slice(0, MAX_ADDRESSES)
  .map(
    ({ row }) =>
      html`<url><loc>${site.addresses.canonical(found.location.siteSpace.path, row.path)}</loc><lastmod>${row.updatedAt.toISOString()}</lastmod></url>\n`,
  )}</urlset>`),
  );
}

/** Those that search engines are to know, without old versions, whose pages lead to the current ones. */
async function listCurrentPages(site: SiteRequest): Promise<readonly ListedSpace[]> {
  const listed = await listPagesOf(site);
  return listed
    .filter(
      ({ location }) =>
        currentVariantOf(variantsBeside(site.structure, location), location.siteSpace) === location.siteSpace,
    )
    .map((space) => ({
      ...space,
      pages: space.pages.filter((page) => isPageIndexed(site.served.site, page)),
    }));
}

function newest(pages: readonly { readonly row: { readonly updatedAt: Date } }[]): string {
  const newest = pages.reduce((latest, { row }) => Math.max(latest, row.updatedAt.getTime()), 0);
  return new Date(newest).toISOString();
}

function document(root: Markup) {
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`, contentType: XML };
}
