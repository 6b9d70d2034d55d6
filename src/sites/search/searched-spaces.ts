import { toFragment } from '../../content/render/index.ts';
import { maySearchShowHidden, type searchContents } from '../../platform/index.ts';
import type { FolderChoice } from '../../store/index.ts';
import { folderOfLanguage, foldersIn } from '../content/folder-languages.ts';
import { ancestorsOf, type IndexedPage } from '../content/page-index.ts';
import { scopesFrom } from '../content/search-scopes.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import { knownLanguageAt } from '../content/untranslated-pages.ts';
import type { VariantLocation } from '../locate-path.ts';
import type { SiteAddresses } from '../site-addresses.ts';
import type { SiteRequest } from '../site-request.ts';
import type { SiteSearchResult } from '../views/site-page.ts';

/** A space of the site with what the visitor sees of it. */
export interface SpaceOfSite {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
  /** The folders of the language that is searched; null for all pages. */
  readonly folders: FolderChoice | null;
  /** Of the words that are searched; null where nothing says it. */
  readonly language: string | null;
}

export async function loadSpaces(
  { contents }: SiteRequest,
  locations: readonly VariantLocation[],
): Promise<readonly SpaceOfSite[]> {
  const spaces: SpaceOfSite[] = [];
  for (const location of locations) {
    const content = await contents.load(location.siteSpace.row.space);
    if (content === null) continue;
    spaces.push({ location, content, folders: null, language: knownLanguageAt(content, '') });
  }
  return spaces;
}

/** What a search reaches where nothing is chosen. */
export async function loadWholeSite(site: SiteRequest): Promise<readonly SpaceOfSite[]> {
  const [everything] = scopesFrom(site.structure, undefined);
  return await loadSpaces(site, everything?.locations ?? []);
}

/** The same spaces, where only the pages in a language are searched; null for the default language of each. */
export function inLanguage(spaces: readonly SpaceOfSite[], language: string | null): readonly SpaceOfSite[] {
  return spaces.map((space) => {
    const { languages } = space.content;
    const isOther = folderOfLanguage(languages, language) !== null;
    return {
      ...space,
      folders: foldersIn(languages, language),
      language: isOther ? language : space.language,
    };
  });
}

/** What is found in these spaces; where that is nothing, what is found in all of their languages. */
export async function findInAnyLanguage<Found>(
  spaces: readonly SpaceOfSite[],
  find: (searched: readonly SpaceOfSite[]) => Promise<Found>,
  isSomething: (found: Found) => boolean,
): Promise<Found> {
  const found = await find(spaces);
  if (isSomething(found) || spaces.every(({ folders }) => folders === null)) return found;
  return await find(spaces.map((space) => ({ ...space, folders: null })));
}

export interface SearchedSpaces {
  /** By the ids of the spaces; one that stands in several places counts once. */
  readonly byId: ReadonlyMap<string, SpaceOfSite>;
  /** Whether results say in which section they are. */
  readonly areSeveral: boolean;
}

export function arrangeSpaces(spaces: readonly SpaceOfSite[]): SearchedSpaces {
  return {
    byId: new Map(spaces.map((space) => [space.content.space.id, space])),
    areSeveral: spaces.length > 1,
  };
}

export function contentsOf({ byId }: SearchedSpaces): Parameters<typeof searchContents>[1] {
  return [...byId.values()].map(({ content: { space, revision }, folders, language }) => ({
    spaceId: space.id,
    historyId: revision.historyId,
    version: revision.version,
    language,
    folders,
  }));
}

interface FoundOnPage {
  readonly spaceId: string;
  readonly pageId: string;
}

/** A page that the visitor may open and that searches show; null where there is none. */
export function findListedPage(
  { byId }: SearchedSpaces,
  { spaceId, pageId }: FoundOnPage,
): { readonly space: SpaceOfSite; readonly page: IndexedPage } | null {
  const space = byId.get(spaceId);
  const page = space?.content.pages.byId.get(pageId);
  if (space === undefined || page === undefined || page.isHidden || page.row.settings?.noIndex === true)
    return null;
  return { space, page };
}

/** Without the pages of which a release before this one stored what only some visitors see. */
export async function leaveOutHidden<Found extends FoundOnPage>(
  { platform }: SiteRequest,
  spaces: SearchedSpaces,
  found: readonly Found[],
): Promise<readonly Found[]> {
  const shown: Found[] = [];
  for (const each of found) {
    const listed = findListedPage(spaces, each);
    if (listed === null) continue;
    const { page, space } = listed;
    const content = { ...space.content, language: knownLanguageAt(space.content, page.row.path) };
    if (!(await maySearchShowHidden(platform, content, page.stored))) shown.push(each);
  }
  return shown;
}

interface Hit extends FoundOnPage {
  readonly title: string;
  readonly anchor: string | null;
  readonly excerpt: SiteSearchResult['excerpt'];
}

/** A section with its address; null where the visitor may not open its page. */
export function presentResult(
  spaces: SearchedSpaces,
  { title, anchor, excerpt, ...hit }: Hit,
  addressOf: SiteAddresses['below'],
): SiteSearchResult | null {
  const found = findListedPage(spaces, hit);
  if (found === null) return null;
  const { page, space } = found;
  const { section, siteSpace } = space.location;
  const href = addressOf(siteSpace.path, page.row.path) + (anchor === null ? '' : toFragment(anchor));
  const trail = [
    ...(section === null || !spaces.areSeveral ? [] : [section.row.title]),
    ...ancestorsOf(page).map(({ row }) => row.title),
    ...(title === page.row.title ? [] : [page.row.title]),
  ];
  return { title, href, trail, excerpt };
}
