import { toFragment } from '../content/render/index.ts';
import type {
  ArrangedGroup,
  ArrangedSection,
  ArrangedSiteSpace,
  ArrangedStructure,
  ConditionScope,
  SiteCustomization,
} from '../platform/index.ts';
import { chosenFrame, chosenLook, lookOf } from './choose-look.ts';
import { originalVariantOf } from './content/current-variant.ts';
import { folderOfLanguage } from './content/folder-languages.ts';
import { languageNavigation } from './content/language-navigation.ts';
import { ancestorsOf, firstWithText, hasText, type IndexedPage, samePageIn } from './content/page-index.ts';
import { searchOrigin } from './content/search-scopes.ts';
import type { SpaceContent } from './content/space-contents.ts';
import {
  folderOfEntry,
  insideOf,
  languageAt,
  languagePart,
  pageInLanguage,
  type UntranslatedPage,
  untranslatedAt,
} from './content/untranslated-pages.ts';
import { languageLinks } from './language-switch.ts';
import { locationsOf, type VariantLocation } from './locate-path.ts';
import type { ServedSite } from './served-sites.ts';
import type { SiteAddresses } from './site-addresses.ts';
import type { NavigationItem, SectionLink, SiteFrame, VariantLink } from './views/site-page.ts';
import { wordsFor } from './views/words/index.ts';

/** Above this number of pages, the navigation shows only what is near the current page. */
const MAX_NAVIGATION = 400;

/** What surrounds a page is made from. */
export interface FrameInput {
  readonly served: ServedSite;
  readonly structure: ArrangedStructure;
  readonly location: VariantLocation;
  readonly content: SpaceContent;
  /** Null where no page is open, as among search results. */
  readonly page: IndexedPage | null;
  /** Where the page stands in for its missing translation. */
  readonly untranslated?: UntranslatedPage | null;
  /** Of the interface where no page is open; that of the space where absent. */
  readonly language?: string;
  readonly addresses: SiteAddresses;
  readonly claims: ConditionScope;
  /** The contents of the variants of the section, to switch to the same page; empty for none to switch to. */
  readonly variants: readonly { readonly location: VariantLocation; readonly content: SpaceContent | null }[];
}

export function makeFrame(input: FrameInput): SiteFrame {
  const { served, structure, location, content, addresses } = input;
  const look = chosenLook(input);
  const open = openEntry(input);
  const navigation = languageNavigation(
    content,
    folderOfLanguage(content.languages, interfaceLanguage(input)),
  );
  return {
    title: look.title ?? served.site.title,
    homeHref: addresses.below(),
    assetsHref: `${addresses.below('~', 'assets')}/`,
    language: interfaceLanguage(input),
    ...chosenFrame(look, (ref) => hrefOfRef(input, ref), input.claims),
    look: lookOf(look),
    sections:
      structure.sections.length < 2
        ? []
        : structure.items.map((item) => toSectionLink(item, location, addresses)),
    variants: makeVariants(input),
    languages: languageLinks(input, interfaceLanguage(input)),
    navigation: makeNavigation(navigation.entries, {
      trail: new Set(open === null ? [] : [...ancestorsOf(open), open].map(({ row }) => row.id)),
      current: isOwnEntry(input, open) ? (open?.row.id ?? null) : null,
      isLarge: navigation.size > MAX_NAVIGATION,
      hrefOf: (id) => hrefOfPage(input, id),
      hrefAt: (entry) => hrefAt(input, entry),
    }),
    searchHref: addresses.below('~', 'search'),
    searchFrom: searchOrigin(location.siteSpace.row.id, content, interfaceLanguage(input)),
    bar: makeBar(input),
    feeds: [{ title: served.site.title, href: addresses.below('feed.xml') }],
  };
}

/** The language of the frame: on a page, that of those who read it at its address. */
function interfaceLanguage({
  content,
  page,
  untranslated,
  language,
}: Pick<FrameInput, 'content' | 'page' | 'untranslated' | 'language'>): string {
  return language ?? languageAt(content, untranslated?.path ?? page?.row.path ?? '');
}

/** Where the navigation is open: at the entry of the page in the reader's language, else at that language. */
export function openEntry({
  content,
  page,
  untranslated,
}: Pick<FrameInput, 'content' | 'page' | 'untranslated'>): IndexedPage | null {
  if (untranslated == null) return page;
  if (untranslated.folder === null) return null;
  const part = languagePart(content, untranslated.folder);
  return part?.entries.get(untranslated.path) ?? part?.root ?? null;
}

/** Whether an entry is for the page itself, not for something above it. */
export function isOwnEntry(
  { content, untranslated }: Pick<FrameInput, 'content' | 'untranslated'>,
  entry: IndexedPage | null,
): boolean {
  if (untranslated == null) return true;
  if (untranslated.folder === null) return false;
  return languagePart(content, untranslated.folder)?.entries.get(untranslated.path) === entry;
}

/** Above each page of a preview, and of a site that only members see. */
function makeBar(input: FrameInput): SiteFrame['bar'] {
  const { served, addresses } = input;
  const words = wordsFor(interfaceLanguage(input));
  const { preview } = served;
  if (preview !== null) {
    const changes = preview.changes.map(({ kind, title, paths }) => ({
      kind,
      title,
      href: paths === null ? null : addresses.below(...paths),
    }));
    return { message: words.preview, href: preview.url, label: preview.title, changes };
  }
  if (served.site.publishedAt !== null) return null;
  return { message: words.membersOnly, href: null, label: '', changes: null };
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

function makeVariants(input: FrameInput): readonly VariantLink[] {
  const { location, variants, addresses } = input;
  if (variants.length < 2) return [];
  return variants.map(({ location: { siteSpace }, content }) => {
    const there = content === null ? NOWHERE : sameIn(content, input);
    const { id, path } = there.id === null ? (originalFor(siteSpace, input) ?? there) : there;
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

const NOWHERE = { id: null, path: '' };

/** What a reader of this page sees in another variant: what is not translated here stays in the reader's language there. */
function sameIn(content: SpaceContent, { page, untranslated }: FrameInput): ReturnType<typeof nearestIn> {
  if (page === null) return NOWHERE;
  if (untranslated == null || untranslated.folder === null) return nearestIn(content, page);
  const { path } = untranslated;
  const translated = content.pages.byPath.get(path);
  if (translated !== undefined && hasText(translated.row)) return translated.row;
  const again = untranslatedAt(content, path);
  return again === null ? nearestIn(content, page) : { id: again.original.row.id, path };
}

/** The page that stands in for this one in a translation without it; null where none does. */
function originalFor(
  siteSpace: ArrangedSiteSpace,
  { variants, page }: FrameInput,
): ReturnType<typeof nearestIn> | null {
  const siteSpaces = variants.map(({ location }) => location.siteSpace);
  const original = originalVariantOf(siteSpaces, siteSpace);
  const content = variants.find(({ location }) => location.siteSpace === original)?.content ?? null;
  const found = content === null || page === null ? null : nearestIn(content, page);
  return found?.id == null ? null : found;
}

/** The same page in another variant: by its id, else by its path; else the path of the nearest page above it, without an id. */
export function nearestIn(
  { pages }: SpaceContent,
  page: IndexedPage,
): { readonly id: string | null; readonly path: string } {
  const same = samePageIn(pages, page);
  if (same !== null) return same.row;
  const segments = page.row.path.split('/');
  for (let length = segments.length - 1; length > 0; length -= 1) {
    const above = pages.byPath.get(segments.slice(0, length).join('/'));
    if (above !== undefined && hasText(above.row)) return { id: null, path: above.row.path };
  }
  return { id: null, path: '' };
}

/** The address of a page; of a group, that of its first page. Null for one that has none. */
export function hrefOfPage(
  { content, location, addresses }: Pick<FrameInput, 'content' | 'location' | 'addresses'>,
  id: string,
): string | null {
  const page = content.pages.byId.get(id);
  const shown = page === undefined ? null : firstWithText(page);
  return shown === null ? null : addresses.below(location.siteSpace.path, shown.row.path);
}

interface NavigationOptions {
  readonly trail: ReadonlySet<string>;
  readonly current: string | null;
  readonly isLarge: boolean;
  readonly hrefOf: (id: string) => string | null;
  /** Where a link to the same space leads; null for nowhere. */
  readonly hrefAt: (entry: IndexedPage) => string | null;
}

function makeNavigation(
  pages: readonly IndexedPage[],
  options: NavigationOptions,
): readonly NavigationItem[] {
  return pages
    .filter(({ row }) => !row.hidden || options.trail.has(row.id))
    .map((entry) => {
      const { row, children } = entry;
      const isOpen = options.trail.has(row.id);
      const isLeftOut = options.isLarge && !isOpen && children.length > 0;
      // A heading whose pages are left out leads to the first of them.
      const ownHref = () => (hasText(row) || isLeftOut ? options.hrefOf(row.id) : null);
      const isInside = insideOf(row.href).length > 0;
      return {
        title: row.title,
        emoji: row.emoji,
        href: row.type !== 'link' ? ownHref() : isInside ? options.hrefAt(entry) : row.href,
        isExternal: row.type === 'link' && !isInside,
        isCurrent: row.id === options.current,
        isOpen: isOpen && row.id !== options.current,
        items: isLeftOut ? [] : makeNavigation(children, options),
        hasMore: isLeftOut,
      };
    });
}

/**
 * The page to which an entry of the navigation leads, or a part of it: only the builder makes others, so they are null.
 * Among the entries of a language, pages that it lacks stay in it.
 */
function hrefAt(input: FrameInput, entry: IndexedPage): string | null {
  const { content, location, addresses } = input;
  const [path = '', fragment] = insideOf(entry.row.href);
  const found = content.pages.byPath.get(path);
  if (found === undefined) return null;
  const folder = folderOfEntry(content, entry);
  const there = folder === null ? null : pageInLanguage(content, folder, found);
  const href =
    there === null || there.isTranslated
      ? hrefOfPage(input, found.row.id)
      : addresses.below(location.siteSpace.path, there.path);
  return href === null || fragment === undefined ? href : href + toFragment(fragment);
}

/** Where a link that was chosen leads; null where that is not on the site. */
function hrefOfRef(
  input: FrameInput,
  ref: NonNullable<SiteCustomization['header']['links'][number]['to']>,
): string | null {
  if (ref.kind === 'url') return ref.url;
  if (ref.kind === 'openapi') return null;
  const spaceId = ref.space ?? input.content.space.id;
  const location = locationsOf(input.structure).find(({ siteSpace }) => siteSpace.row.space.id === spaceId);
  if (location === undefined) return null;
  const { siteSpace } = location;
  if (ref.kind === 'space') return input.addresses.below(siteSpace.path);
  if (ref.kind === 'file') return input.addresses.below('~', 'files', siteSpace.row.id, ref.file);
  // Only the pages of the space that is open are known here; others are found by their space.
  if (ref.page === undefined || spaceId !== input.content.space.id)
    return input.addresses.below(siteSpace.path);
  const href = hrefOfPage(input, ref.page);
  return href === null || ref.kind === 'page' ? href : href + toFragment(ref.anchor);
}
