import type {
  ArrangedGroup,
  ArrangedSection,
  ArrangedStructure,
  PageWithTargets,
} from '../platform/index.ts';
import { ancestorsOf, firstWithText, hasText, type IndexedPage } from './content/page-index.ts';
import { renderSiteBody, type SpaceAddresses } from './content/render-site-body.ts';
import type { SpaceContent } from './content/space-contents.ts';
import type { VariantLocation } from './locate-path.ts';
import type { ServedSite } from './served-sites.ts';
import type { SiteAddresses } from './site-addresses.ts';
import type {
  NavigationItem,
  SectionLink,
  ShownPage,
  SiteFrame,
  SitePage,
  SitePageLink,
  VariantLink,
} from './views/site-page.ts';

/** Above this number of pages, the navigation shows only what is near the current page. */
const MAX_NAVIGATION = 400;

/** What a page of a site is made from. */
export interface PageInput {
  readonly served: ServedSite;
  readonly structure: ArrangedStructure;
  readonly location: VariantLocation;
  readonly content: SpaceContent;
  readonly page: IndexedPage;
  readonly published: PageWithTargets;
  readonly addresses: SiteAddresses;
  /** The contents of the other variants, to switch to the same page. */
  readonly variants: readonly { readonly location: VariantLocation; readonly content: SpaceContent | null }[];
}

export async function makePage(input: PageInput): Promise<SitePage> {
  return { frame: makeFrame(input), page: await makeShownPage(input) };
}

function makeFrame(input: PageInput): SiteFrame {
  const { served, structure, location, content, page, addresses } = input;
  return {
    title: served.site.title,
    homeHref: addresses.below(),
    assetsHref: `${addresses.below('~', 'assets')}/`,
    styleHref: null,
    language: content.space.language ?? 'en',
    logo: null,
    favicon: null,
    look: {
      primaryColor: null,
      theme: 'system',
      canToggleTheme: true,
      corners: 'rounded',
      hasPagination: true,
      externalLinksInNewTab: false,
    },
    sections:
      structure.sections.length < 2
        ? []
        : structure.items.map((item) => toSectionLink(item, location, addresses)),
    variants: makeVariants(input),
    navigation: makeNavigation(content.pages.roots, {
      trail: new Set([...ancestorsOf(page), page].map(({ row }) => row.id)),
      current: page.row.id,
      isLarge: content.pages.byId.size > MAX_NAVIGATION,
      hrefOf: (id) => pageHref(input, id),
    }),
    headerLinks: [],
    footer: { groups: [], copyright: null },
    announcement: null,
    searchHref: addresses.below('~', 'search'),
    bar: null,
    feeds: [{ title: served.site.title, href: addresses.below('feed.xml') }],
  };
}

function toSectionLink(
  item: ArrangedGroup | ArrangedSection,
  location: VariantLocation,
  addresses: SiteAddresses,
): SectionLink {
  if (item.type === 'group') {
    const children = item.children.map((child) => toSectionLink(child, location, addresses));
    return {
      title: item.row.title,
      description: null,
      icon: item.row.icon,
      href: null,
      isCurrent: children.some(({ isCurrent }) => isCurrent),
      children,
    };
  }
  return {
    title: item.row.title,
    description: item.row.description,
    icon: item.row.icon,
    href: addresses.below(item.path),
    isCurrent: item.row.id === location.section?.row.id,
    children: [],
  };
}

function makeVariants({ location, variants, page, addresses }: PageInput): readonly VariantLink[] {
  if (variants.length < 2) return [];
  return variants.map(({ location: { siteSpace }, content }) => {
    const { id, path } = content === null ? { id: null, path: '' } : nearestIn(content, page);
    const { space } = siteSpace.row;
    return {
      title: space.title,
      href: addresses.below(siteSpace.path, path),
      language: space.language,
      isCurrent: siteSpace.row.id === location.siteSpace.row.id,
      hasPage: id !== null,
    };
  });
}

/** The same page in another variant: by its id, else by its path; else the path of the nearest page above it, without an id. */
function nearestIn(
  { pages }: SpaceContent,
  page: IndexedPage,
): { readonly id: string | null; readonly path: string } {
  const same = pages.byId.get(page.row.id) ?? pages.byPath.get(page.row.path);
  if (same !== undefined && hasText(same.row)) return same.row;
  const segments = page.row.path.split('/');
  for (let length = segments.length - 1; length > 0; length -= 1) {
    const above = pages.byPath.get(segments.slice(0, length).join('/'));
    if (above !== undefined && hasText(above.row)) return { id: null, path: above.row.path };
  }
  return { id: null, path: '' };
}

/** The address of a page; of a group, that of its first page. Null for one that has none. */
function pageHref({ content, location, addresses }: PageInput, id: string): string | null {
  const page = content.pages.byId.get(id);
  const shown = page === undefined ? null : firstWithText(page);
  return shown === null ? null : addresses.below(location.siteSpace.path, shown.row.path);
}

function makeNavigation(
  pages: readonly IndexedPage[],
  options: {
    readonly trail: ReadonlySet<string>;
    readonly current: string;
    readonly isLarge: boolean;
    readonly hrefOf: (id: string) => string | null;
  },
): readonly NavigationItem[] {
  return pages
    .filter(({ row }) => !row.hidden || options.trail.has(row.id))
    .map(({ row, children }) => {
      const isOpen = options.trail.has(row.id);
      const isLeftOut = options.isLarge && !isOpen && row.type !== 'group' && children.length > 0;
      return {
        title: row.title,
        emoji: row.emoji,
        href: row.type === 'link' ? row.href : hasText(row) ? options.hrefOf(row.id) : null,
        isExternal: row.type === 'link',
        isCurrent: row.id === options.current,
        isOpen: isOpen && row.id !== options.current,
        items: isLeftOut ? [] : makeNavigation(children, options),
        hasMore: isLeftOut,
      };
    });
}

async function makeShownPage(input: PageInput): Promise<ShownPage> {
  const { content, page, published, location, addresses, variants } = input;
  const { row } = page;
  const { pages, revision } = content;
  const spaceAddresses: SpaceAddresses = {
    page: (id) => pageHref(input, id),
    file: (id) => addresses.below('~', 'files', location.siteSpace.row.id, id),
  };
  const position = pages.positions.get(row.id);
  const neighbour = (offset: number): SitePageLink | null => {
    const found = position === undefined ? undefined : pages.readingOrder[position + offset];
    return found === undefined ? null : { title: found.row.title, href: pageHref(input, found.row.id) };
  };
  const layout = row.settings?.layout ?? {};
  const canonical = addresses.canonical(location.siteSpace.path, row.path);
  return {
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    description: row.description,
    ...(await renderSiteBody(published, row.dialect, spaceAddresses)),
    trail: ancestorsOf(page).map(({ row: above }) => ({
      title: above.title,
      href: hasText(above) ? pageHref(input, above.id) : null,
    })),
    previous: neighbour(-1),
    next: neighbour(1),
    layout: {
      isWide: layout['width'] === 'wide',
      hasTitle: layout['title'] !== false,
      hasDescription: layout['description'] !== false,
      hasNavigation: layout['tableOfContents'] !== false,
      hasOutline: layout['outline'] !== false,
      hasPagination: layout['pagination'] !== false,
    },
    cover: null,
    updatedAt: row.updatedAt,
    editHref: editAddress(revision.origin, row.gitPath),
    markdownHref: addresses.below(location.siteSpace.path, markdownPath(row.path)),
    canonical,
    alternates: variants.flatMap(({ location: { siteSpace }, content: other }) => {
      const { language } = siteSpace.row.space;
      const found = other === null ? null : nearestIn(other, page);
      if (language === null || found?.id == null) return [];
      return [{ language, href: addresses.canonical(siteSpace.path, found.path) }];
    }),
    isIndexed: input.served.site.visibility === 'public' && !page.isHidden && row.settings?.noIndex !== true,
    socialImage: null,
    structuredData: null,
  };
}

/** Where a file can be edited on its host; null where that is unknown. */
function editAddress(origin: unknown, path: string | null): string | null {
  const { repository } = origin as {
    readonly repository?: { readonly fullName: string; readonly branch: string; readonly htmlHost: string };
  };
  if (repository === undefined || path === null) return null;
  const segments = [...repository.branch.split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
  return `https://${repository.htmlHost}/${repository.fullName}/edit/${segments}`;
}

/** Where a page is as Markdown. The home page of a space has no name of its own. */
export function markdownPath(pagePath: string): string {
  return `${pagePath === '' ? 'index' : pagePath}.md`;
}
