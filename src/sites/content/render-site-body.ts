import { toFragment } from '../../content/render/index.ts';
import { html, type Markup, safeHref, sanitised } from '../../markup/index.ts';
import type { PageWithTargets } from '../../platform/index.ts';
import { contentThreads, type LinkAddress, PageLimitError } from '../../threads/index.ts';
import { RESERVED_IDS } from '../views/reserved-ids.ts';
import type { ShownPage } from '../views/site-page.ts';
import { blockTitlesIn } from '../views/words/index.ts';

/** In UTF-16 code units. */
const MAX_SOURCE_SHOWN = 100_000;

/** Where pages and files of a space are on the site. */
export interface SpaceAddresses {
  /** @param fragment with its sign; empty for the page itself */
  page(id: string, fragment: string): string | null;
  title(id: string): string | null;
  file(id: string): string;
}

/**
 * Renders the text of a page, in the language of its site. With `idPrefix`, it is one of several in a document. One that exceeds a limit of time or memory is shown as its source, with the reason.
 */
export async function renderSiteBody(
  { markdown, targets, operations, privateSpecs }: PageWithTargets,
  dialect: string | null,
  addresses: SpaceAddresses,
  language: string,
  idPrefix?: string,
): Promise<Pick<ShownPage, 'heading' | 'hasHero' | 'body' | 'outline'>> {
  try {
    const { title, hasHero, body, outline } = await contentThreads.render({
      markdown,
      dialect: dialect ?? '',
      reservedIds: RESERVED_IDS,
      isForSite: true,
      ...(idPrefix === undefined ? {} : { idPrefix }),
      blockTitles: blockTitlesIn(language),
      addresses: new Map(
        [...targets].map(([target, found]) => [target, addressOf(found, addresses)] as const),
      ),
      operations: new Map(
        operations.map(({ spec, operation }) => [`${spec} ${operation.method} ${operation.path}`, operation]),
      ),
      privateSpecs: new Set(privateSpecs),
    });
    return { heading: title === null ? null : sanitised(title), hasHero, body: sanitised(body), outline };
  } catch (error) {
    if (!(error instanceof PageLimitError)) throw error;
    return { heading: null, hasHero: false, body: renderSource(markdown, error.message), outline: [] };
  }
}

function addressOf(
  {
    status,
    reference,
    size,
  }: PageWithTargets['targets'] extends ReadonlyMap<string, infer Target> ? Target : never,
  addresses: SpaceAddresses,
): LinkAddress {
  const { page, file, url = '', internalLocation } = reference;
  if (status === 'broken') return { link: null, image: null };
  if (page !== undefined) {
    const link = addresses.page(page, internalLocation ? toFragment(internalLocation.anchor) : '');
    if (link === null) return { link: null, image: null };
    const title = addresses.title(page);
    return { link, image: null, ...(title === null ? {} : { title }) };
  }
  if (file !== undefined) {
    const href = addresses.file(file);
    return { link: href, image: href, ...(size === null ? {} : { size }) };
  }
  // A path without a host belongs to the site that the author had in mind, which is not known to be this one.
  return { link: url.startsWith('/') ? undefined : (safeHref(url) ?? undefined), image: null };
}

function renderSource(markdown: string, problem: string): Markup {
  return html`<p class="notice">${problem}</p>
<pre tabindex="0"><code>${markdown.slice(0, MAX_SOURCE_SHOWN)}</code></pre>`;
}
