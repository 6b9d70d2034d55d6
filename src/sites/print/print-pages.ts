import { html } from '../../markup/index.ts';
import { readPageWithTargets } from '../../platform/index.ts';
import type { IndexedPage } from '../content/page-index.ts';
import { findPagesElsewhere } from '../content/pages-elsewhere.ts';
import { renderSiteBody } from '../content/render-site-body.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import type { VariantLocation } from '../locate-path.ts';
import { hrefOfPage } from '../make-frame.ts';
import type { SiteRequest } from '../site-request.ts';
import { spaceAddresses } from '../space-addresses.ts';
import type { PrintedPage } from '../views/render-print.ts';

/** Of the HTML of one document, in UTF-16 code units; of pages that exceed it, only the address is in it. */
const MAX_TEXT = 3_000_000;

/** A space that is printed. */
export interface PrintSource {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
}

/** A page that is printed. */
export interface PageSource extends PrintSource {
  readonly page: IndexedPage;
}

/** Renders pages for one document, by their site-spaces and ids. Links between them lead inside of it. */
export async function printPages(
  site: SiteRequest,
  sources: readonly PageSource[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, PrintedPage>>> {
  const ids = new Map(sources.map((source, at) => [keyOf(source, source.page.row.id), `p${at + 1}`]));
  const printed = new Map<string, Map<string, PrintedPage>>();
  let size = 0;
  for (const source of sources) {
    const { row } = source.page;
    const inSpace = printed.get(spaceOf(source)) ?? new Map<string, PrintedPage>();
    printed.set(spaceOf(source), inSpace);
    const id = ids.get(keyOf(source, row.id)) ?? '';
    const body =
      size > MAX_TEXT
        ? null
        : await renderPage(site, source, { id, idOf: (other) => ids.get(keyOf(source, other)) });
    size += body?.body.text.length ?? 0;
    const address = site.addresses.canonical(source.location.siteSpace.path, row.path);
    inSpace.set(row.id, {
      id,
      title: row.settings?.title ?? row.title,
      description: row.description,
      heading: body?.heading ?? null,
      body: body?.body ?? html`<p><a href="${address}">${address}</a></p>`,
    });
  }
  return printed;
}

/** Pages of the document are linked in it, others on the site. */
async function renderPage(
  site: SiteRequest,
  source: PageSource,
  { id, idOf }: { readonly id: string; readonly idOf: (pageId: string) => string | undefined },
) {
  const { content, page } = source;
  const published = await readPageWithTargets(site.platform, content, {
    page: page.row,
    claims: site.claims,
  });
  if (published === null) return null;
  const elsewhere = await findPagesElsewhere(site, source, published.targets);
  const { addresses } = site;
  const own = spaceAddresses({ ...source, addresses, elsewhere }, (pageId, fragment) => {
    const other = idOf(pageId);
    if (other !== undefined) return fragment === '' ? `#${other}` : `#${other}-${fragment.slice(1)}`;
    const href = hrefOfPage({ ...source, addresses }, pageId);
    return href === null ? null : href + fragment;
  });
  const { row } = page;
  return await renderSiteBody(published, {
    addresses: own,
    language: content.space.language ?? 'en',
    title: row.settings?.title ?? row.title,
    idPrefix: `${id}-`,
  });
}

/** Spaces that were made from each other have pages with the same ids. */
function keyOf(source: PrintSource, pageId: string): string {
  return `${spaceOf(source)} ${pageId}`;
}

function spaceOf({ location }: PrintSource): string {
  return location.siteSpace.row.id;
}
