import { loadDialect } from '../../content/index.ts';
import { targetKey, toFragment } from '../../content/render/index.ts';
import { readPageWithTargets } from '../../platform/index.ts';
import type { VariantLocation } from '../locate-path.ts';
import { markdownPath } from '../make-page.ts';
import { type ReadableSite, readPublished, type SiteRequest } from '../site-request.ts';
import { linkedPage } from './language-links.ts';
import { linkMarkdown } from './link-markdown.ts';
import type { IndexedPage } from './page-index.ts';
import { pageMarkdown } from './page-markdown.ts';
import { findPagesElsewhere } from './pages-elsewhere.ts';
import type { SpaceContent } from './space-contents.ts';
import { textSourceOf, type UntranslatedPage } from './untranslated-pages.ts';

/** A page, and where it is read. */
export interface LocatedPage {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
  readonly page: IndexedPage;
  /** In whose place it stands, if it stands in that of a missing translation. */
  readonly untranslated?: UntranslatedPage | null;
}

/**
 * The text of a page for programs, whose links lead to the Markdown of other pages, and to files, on the site; null where
 * the text is not stored.
 */
export async function readMarkdown(
  site: Pick<SiteRequest, 'structure' | 'contents' | 'addresses' | 'claims'> & ReadableSite,
  shown: LocatedPage,
): Promise<string | null> {
  const { location, content, page, untranslated } = shown;
  const source = textSourceOf(shown);
  const published = await readPublished(site, (from) =>
    readPageWithTargets(from, source.content, { page: page.row, claims: site.claims }),
  );
  if (published === null) return null;
  const { addresses } = site;
  const { siteSpace } = location;
  const elsewhere = await findPagesElsewhere(site, source, published.targets);
  const addressOf = (target: string): string | null => {
    const found = target.startsWith('#') ? undefined : published.targets.get(targetKey(target));
    if (found === undefined || found.status === 'broken') return null;
    const { page: pageId, file, url = '', internalLocation } = found.reference;
    if (file !== undefined) return addresses.below('~', 'files', source.location.siteSpace.row.id, file);
    if (pageId === undefined) return elsewhere.get(url)?.href ?? null;
    const linked = linkedPage(content, { page, untranslated }, pageId);
    if (linked === null) return null;
    const hasFragment = internalLocation !== undefined && linked.hasSameHeadings;
    const fragment = hasFragment ? toFragment(internalLocation.anchor) : '';
    return addresses.below(siteSpace.path, markdownPath(linked.path)) + fragment;
  };
  const { reading } = await loadDialect(published.dialect ?? '');
  return pageMarkdown(
    page.row,
    linkMarkdown(published.markdown, addressOf, { hasIndentedCode: reading.options?.syntax !== 'mdx' }),
  );
}
