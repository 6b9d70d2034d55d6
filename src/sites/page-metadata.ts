import { currentVariantOf } from './content/current-variant.ts';
import { ancestorsOf, hasText, type IndexedPage } from './content/page-index.ts';
import { isPageIndexed } from './content/search-engines.ts';
import { translationsOf } from './content/untranslated-pages.ts';
import { type FrameInput, nearestIn } from './make-frame.ts';
import type { ShownPage } from './views/site-page.ts';

interface MetadataInput extends FrameInput {
  readonly page: IndexedPage;
}

/** What pages say about themselves to search engines and social networks. */
export function pageMetadata(
  input: MetadataInput,
): Pick<ShownPage, 'canonical' | 'alternates' | 'isIndexed' | 'structuredData'> {
  const isIndexed = isPageIndexed(input.served.site, input.page);
  // What stands in for a missing translation is the original at another address.
  if (input.untranslated != null)
    return { canonical: canonicalOf(input).canonical, alternates: [], isIndexed, structuredData: null };
  return { ...canonicalOf(input), isIndexed, structuredData: isIndexed ? breadcrumbs(input) : null };
}

/**
 * A page of an old version leads to the same page in the current one, where there is one. A page that stands for itself
 * names those in the other languages.
 */
function canonicalOf(input: MetadataInput): Pick<ShownPage, 'canonical' | 'alternates'> {
  const { variants, location, page, addresses } = input;
  const siteSpaces = variants.map((variant) => variant.location.siteSpace);
  const addressIn = (siteSpace: (typeof siteSpaces)[number]): string | null => {
    const content = variants.find((variant) => variant.location.siteSpace === siteSpace)?.content ?? null;
    const found = content === null ? null : nearestIn(content, page);
    return found?.id == null ? null : addresses.canonical(siteSpace.path, found.path);
  };
  const own = addresses.canonical(location.siteSpace.path, page.row.path);
  const current = currentVariantOf(siteSpaces, location.siteSpace);
  if (current !== location.siteSpace) {
    const canonical = addressIn(current);
    return { canonical: canonical ?? own, alternates: [] };
  }
  const inFolders = alternatesInFolders(input);
  const alternates = siteSpaces.flatMap((siteSpace) => {
    const { language } = siteSpace.row.space;
    // Its languages are known by their folders.
    if (siteSpace === location.siteSpace && inFolders.length > 0) return inFolders;
    if (language === null || currentVariantOf(siteSpaces, siteSpace) !== siteSpace) return [];
    const href = siteSpace === location.siteSpace ? own : addressIn(siteSpace);
    return href === null ? [] : [{ language, href }];
  });
  return { canonical: own, alternates: alternates.length < 2 ? [] : alternates };
}

/** The page in the languages that have folders in its space. */
function alternatesInFolders({
  served,
  content,
  location,
  page,
  addresses,
}: MetadataInput): ShownPage['alternates'] {
  return translationsOf(content, page)
    .filter((translation) => isPageIndexed(served.site, translation.page))
    .map((translation) => ({
      language: translation.language,
      href: addresses.canonical(location.siteSpace.path, translation.page.row.path),
    }));
}

/** The way to the page from the root of the site, as https://schema.org/BreadcrumbList. */
function breadcrumbs({ served, structure, location, page, addresses }: MetadataInput): string {
  const { section, siteSpace } = location;
  const trail = [
    { name: served.site.title, item: addresses.canonical() },
    ...(section === null || structure.sections.length < 2
      ? []
      : [{ name: section.row.title, item: addresses.canonical(section.path) }]),
    ...[...ancestorsOf(page), page]
      .filter(({ row }) => hasText(row))
      .map(({ row }) => ({ name: row.title, item: addresses.canonical(siteSpace.path, row.path) })),
  ];
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: trail
      // The home page of a site or section is that site or section.
      .filter(({ item }, at) => trail.findLastIndex((crumb) => crumb.item === item) === at)
      .map((crumb, at) => ({ '@type': 'ListItem', position: at + 1, ...crumb })),
  });
}
