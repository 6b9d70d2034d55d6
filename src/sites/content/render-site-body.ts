import { operationKey, toFragment } from '../../content/render/index.ts';
import { html, type Markup, safeHref, sanitised } from '../../markup/index.ts';
import type { PageWithTargets } from '../../platform/index.ts';
import { contentThreads, type LinkAddress, PageLimitError } from '../../threads/index.ts';
import { operationLabelsIn } from '../views/operation-words/index.ts';
import { RESERVED_IDS } from '../views/reserved-ids.ts';
import type { ShownPage } from '../views/site-page.ts';
import { blockTitlesIn } from '../views/words/index.ts';
import type { PageElsewhere } from './pages-elsewhere.ts';

/** In UTF-16 code units. */
const MAX_SOURCE_SHOWN = 100_000;

/** Where pages and files of a space are on the site. */
export interface SpaceAddresses {
  /** @param fragment with its sign; empty for the page itself */
  page(id: string, fragment: string): string | null;
  title(id: string): string | null;
  file(id: string): string;
  /** Whether a whole address is on the host of the repository. */
  isSource(address: string): boolean;
  /** The page of another space that is shown for an address outside of this one; null for none. */
  elsewhere(url: string): PageElsewhere | null;
}

/** What a page is rendered for besides its text. */
export interface BodyOptions {
  readonly addresses: SpaceAddresses;
  /** Of the site. */
  readonly language: string;
  /** What stands above the text, unless it begins with a title of its own. */
  readonly title: string;
  /** Where the page is one of several in a document. */
  readonly idPrefix?: string;
  /** Whether readers may send requests to the servers of the operations on the page. */
  readonly canTry?: boolean;
}

/** Renders the text of a page. One that exceeds a limit of time or memory is shown as its source, with the reason. */
export async function renderSiteBody(
  { markdown, dialect, targets, operations, privateSpecs }: PageWithTargets,
  { addresses, language, ...options }: BodyOptions,
): Promise<Pick<ShownPage, 'heading' | 'hasHero' | 'body' | 'outline'>> {
  try {
    const { title, hasHero, body, outline } = await contentThreads.render({
      markdown,
      dialect: dialect ?? '',
      reservedIds: RESERVED_IDS,
      isForSite: true,
      ...options,
      blockTitles: blockTitlesIn(language),
      ...(operations.length + privateSpecs.length > 0 && { operationWords: operationLabelsIn(language) }),
      addresses: new Map(
        [...targets].map(([target, found]) => {
          const address = addressOf(found, addresses);
          // Who writes the whole address of a file on the repository's host means the file there.
          return [target, addresses.isSource(target) ? { ...address, link: undefined } : address] as const;
        }),
      ),
      operations: new Map(
        operations.map(({ spec, operation }) => [operationKey(spec, operation), operation]),
      ),
      privateSpecs: new Set(privateSpecs),
    });
    return { heading: title === null ? null : sanitised(title), hasHero, body: sanitised(body), outline };
  } catch (error) {
    if (!(error instanceof PageLimitError)) throw error;
    return { heading: null, hasHero: false, body: renderSource(markdown, error.message), outline: [] };
  }
}

type Target = PageWithTargets['targets'] extends ReadonlyMap<string, infer Value> ? Value : never;

function addressOf({ status, reference, size }: Target, addresses: SpaceAddresses): LinkAddress {
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
  const elsewhere = addresses.elsewhere(url);
  if (elsewhere !== null) return { link: elsewhere.href, image: null, title: elsewhere.title };
  // A path without a host belongs to the site that the author had in mind, which is not known to be this one.
  return { link: url.startsWith('/') ? undefined : (safeHref(url) ?? undefined), image: null };
}

function renderSource(markdown: string, problem: string): Markup {
  return html`<p class="notice">${problem}</p>
<pre tabindex="0"><code>${markdown.slice(0, MAX_SOURCE_SHOWN)}</code></pre>`;
}
