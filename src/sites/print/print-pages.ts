import { html } from '../../markup/index.ts';
import { readPageWithTargets } from '../../platform/index.ts';
import type { IndexedPage } from '../content/page-index.ts';
import { renderSiteBody, type SpaceAddresses } from '../content/render-site-body.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import type { VariantLocation } from '../locate-path.ts';
import { hrefOfPage } from '../make-frame.ts';
import type { SiteRequest } from '../site-request.ts';
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
    const addresses = addressesIn(site, source, (pageId) => ids.get(keyOf(source, pageId)));
    const body = size > MAX_TEXT ? null : await renderPage(site, source, { id, addresses });
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

async function renderPage(
  { platform }: SiteRequest,
  { content, page }: PageSource,
  { id, addresses }: { readonly id: string; readonly addresses: SpaceAddresses },
) {
  const published = await readPageWithTargets(platform, content, page.row);
  if (published === null) return null;
  return await renderSiteBody(
    published,
    page.row.dialect,
    addresses,
    content.space.language ?? 'en',
    `${id}-`,
  );
}

/** Where pages and files of a space are: pages of the document in it, others on the site. */
function addressesIn(
  { addresses }: SiteRequest,
  { location, content }: PrintSource,
  idOf: (pageId: string) => string | undefined,
): SpaceAddresses {
  return {
    page: (pageId, fragment) => {
      const id = idOf(pageId);
      if (id !== undefined) return fragment === '' ? `#${id}` : `#${id}-${fragment.slice(1)}`;
      const href = hrefOfPage({ content, location, addresses }, pageId);
      return href === null ? null : href + fragment;
    },
    title: (pageId) => content.pages.byId.get(pageId)?.row.title ?? null,
    file: (fileId) => addresses.below('~', 'files', location.siteSpace.row.id, fileId),
  };
}

/** Spaces that were made from each other have pages with the same ids. */
function keyOf(source: PrintSource, pageId: string): string {
  return `${spaceOf(source)} ${pageId}`;
}

function spaceOf({ location }: PrintSource): string {
  return location.siteSpace.row.id;
}
