import { toFragment } from '../../content/render/index.ts';
import { answerVerbatim, maySearchShowHidden, searchContents } from '../../platform/index.ts';
import { ancestorsOf, type IndexedPage } from '../content/page-index.ts';
import { type ReachableScope, scopesFrom } from '../content/search-scopes.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import { finishAnswer } from '../finished-answer.ts';
import type { VariantLocation } from '../locate-path.ts';
import { makeFrame } from '../make-frame.ts';
import { recordMissedSearch } from '../record-missed-search.ts';
import { TooManySearches } from '../search-turns.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteAddresses } from '../site-addresses.ts';
import { readPublished, type SiteRequest } from '../site-request.ts';
import { renderFoundOnSite, type ShownSearch } from '../views/search-results.ts';
import type { SearchAnswer, ShownPage, ShownScope, SiteSearchResult } from '../views/site-page.ts';
import { fill, type Words, wordsFor } from '../views/words/index.ts';
import { finishPage } from './finish-page.ts';

/** In characters. */
const MAX_QUERY = 200;

/** Of one space. */
const MAX_PAGES = 20;

/** Searches are not shared between readers, so only their browsers keep them, for as long as somebody types. */
const CACHING = 'private, max-age=30';

interface SearchedSpace {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
}

/**
 * `~/search?q=…`: the sections that match, as a page, or as JSON for who asks for it. `from` names the site-space that is
 * read, `scope` how far the search reaches from there.
 */
export async function answerSearch(site: SiteRequest): Promise<boolean> {
  const { q = '', from, scope } = site.request.query as Readonly<Record<string, string | undefined>>;
  const query = String(q).slice(0, MAX_QUERY).trim();
  const scopes = scopesFrom(site.structure, from);
  const chosen = scopes.find(({ name }) => name === scope) ?? scopes[0];
  const spaces = await loadSpaces(site, chosen?.locations ?? []);
  const first = spaces.find(({ location }) => location.siteSpace.row.id === from) ?? spaces[0];
  if (chosen === undefined || first === undefined) return false;
  const isForProgram = site.request.headers.accept?.includes('application/json') === true;
  let found: FoundOnSite = NOTHING;
  try {
    found = await search(site, spaces, query, site.addresses.below);
  } catch (error) {
    if (!(error instanceof TooManySearches)) throw error;
    site.reply.header('retry-after', String(error.retryAfter));
    return await (isForProgram ? refuseProgram(site, error) : refusePerson(site, first, query));
  }
  const caching = site.isForEverybody ? CACHING : undefined;
  const words = wordsFor(first.content.space.language ?? 'en');
  const said = describeFound(query, found, words);
  const shown = showScopes(scopes, chosen, words);
  if (isForProgram) {
    const { results, corrected } = found;
    const answer: SearchAnswer = { results, corrected, said, scopes: shown };
    const contentType = 'application/json; charset=utf-8';
    return sendFinished(site, await finishAnswer(JSON.stringify(answer), { contentType }), caching);
  }
  if (query !== '' && found.results.length === 0) await recordMissedSearch(site, query);
  const frame = makeFrame({ ...site, ...first, page: null, variants: [] });
  const page = resultsPage(
    site,
    { ...found, query, said, scopes: shown, from: first.location.siteSpace.row.id },
    words,
  );
  return sendFinished(site, await finishPage({ frame, page }), caching);
}

/** One sentence above the results. */
function describeFound(query: string, { results, corrected, isAnswer }: FoundOnSite, words: Words): string {
  if (query === '') return '';
  if (results.length === 0) return fill(words.nothingFound, { query });
  if (isAnswer) return words.nearestSections;
  const count = fill(words.results, { count: String(results.length) });
  return corrected === null ? count : `${fill(words.showingInstead, { query, corrected })} ${count}`;
}

async function refuseProgram(site: SiteRequest, { message }: TooManySearches): Promise<boolean> {
  const text = JSON.stringify({ error: { code: 429, message } });
  const answer = await finishAnswer(text, { status: 429, contentType: 'application/json; charset=utf-8' });
  return sendFinished(site, answer, 'private, no-store');
}

async function refusePerson(site: SiteRequest, space: SearchedSpace, query: string): Promise<boolean> {
  const frame = makeFrame({ ...site, ...space, page: null, variants: [] });
  const words = wordsFor(frame.language);
  const page = resultsPage(
    site,
    { query, results: [], said: words.searchBusy, scopes: [], from: space.location.siteSpace.row.id },
    words,
  );
  const answer = await finishPage({ frame, page }, 429);
  return sendFinished(site, answer, 'private, no-store');
}

/** What is chosen among; nothing where there is no choice. */
function showScopes(
  scopes: readonly ReachableScope[],
  chosen: ReachableScope,
  { everywhere }: Words,
): readonly ShownScope[] {
  if (scopes.length < 2) return [];
  return scopes.map(({ name, label }) => ({
    name,
    label: label ?? everywhere,
    isChosen: name === chosen.name,
  }));
}

async function loadSpaces(
  { contents }: SiteRequest,
  locations: readonly VariantLocation[],
): Promise<readonly SearchedSpace[]> {
  const spaces: SearchedSpace[] = [];
  for (const location of locations) {
    const content = await contents.load(location.siteSpace.row.space);
    if (content !== null) spaces.push({ location, content });
  }
  return spaces;
}

/** What a search reaches where nothing is chosen. */
async function loadWholeSite(site: SiteRequest): Promise<readonly SearchedSpace[]> {
  const [everything] = scopesFrom(site.structure, undefined);
  return await loadSpaces(site, everything?.locations ?? []);
}

/** What a search of a site found for a visitor. */
export interface FoundOnSite {
  readonly results: readonly SiteSearchResult[];
  /** The query to which the results belong, where the one that was asked is misspelt; null where it is not. */
  readonly corrected: string | null;
  /** Whether no page has all words of the query, and the results are the sections that say most of it. */
  readonly isAnswer: boolean;
}

const NOTHING: FoundOnSite = { results: [], corrected: null, isAnswer: false };

/** A query of fewer words is no question. */
const MIN_QUESTION_WORDS = 3;

/**
 * The sections of the site that match.
 *
 * @param addressOf makes the addresses of results. @throws {TooManySearches}
 */
export async function searchSite(
  site: SiteRequest,
  query: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundOnSite> {
  return await search(site, await loadWholeSite(site), query.slice(0, MAX_QUERY), addressOf);
}

async function search(
  site: SiteRequest,
  searched: readonly SearchedSpace[],
  query: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundOnSite> {
  if (query === '') return NOTHING;
  const { request, searches } = site;
  const spaces = arrange(searched);
  const found = await searches.take(request.ip, () =>
    readPublished(site, ({ db }) => searchContents(db, contentsOf(spaces), query, MAX_PAGES)),
  );
  const hits = await leaveOutHidden(site, spaces, found.hits);
  const results = hits.flatMap((hit) => presentResult(spaces, hit, addressOf));
  if (results.length > 0) return { results, corrected: found.corrected, isAnswer: false };
  if (query.split(/\s+/).length < MIN_QUESTION_WORDS) return NOTHING;
  return await ask(site, spaces, query, addressOf);
}

/**
 * The sections of the site that say most of a question, word for word; none where they do not answer it.
 *
 * @param addressOf makes the addresses of results. @throws {TooManySearches}
 */
export async function askSite(
  site: SiteRequest,
  question: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundOnSite> {
  const spaces = arrange(await loadWholeSite(site));
  return await ask(site, spaces, question.slice(0, MAX_QUERY), addressOf);
}

async function ask(
  site: SiteRequest,
  spaces: SearchedSpaces,
  question: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundOnSite> {
  const { platform, request, searches } = site;
  const isReadable = (page: { readonly spaceId: string; readonly pageId: string }) =>
    findListedPage(spaces, page) !== null;
  const { passages } = await searches.take(request.ip, () =>
    answerVerbatim(platform.db, contentsOf(spaces), question, isReadable),
  );
  const shown = await leaveOutHidden(site, spaces, passages);
  const results = shown.flatMap(({ heading, text, ...passage }) =>
    presentResult(
      spaces,
      { ...passage, title: heading ?? passage.title, excerpt: [{ text, isMatch: false }] },
      addressOf,
    ),
  );
  return { results, corrected: null, isAnswer: results.length > 0 };
}

interface SearchedSpaces {
  /** By the ids of the spaces; one that stands in several places counts once. */
  readonly byId: ReadonlyMap<string, SearchedSpace>;
  /** Whether results say in which section they are. */
  readonly areSeveral: boolean;
}

function arrange(spaces: readonly SearchedSpace[]): SearchedSpaces {
  return {
    byId: new Map(spaces.map((space) => [space.content.space.id, space])),
    areSeveral: spaces.length > 1,
  };
}

function contentsOf({ byId }: SearchedSpaces): Parameters<typeof searchContents>[1] {
  return [...byId.values()].map(({ content: { space, revision } }) => ({
    spaceId: space.id,
    historyId: revision.historyId,
    version: revision.version,
    language: space.language,
  }));
}

/** A page that the visitor may open and that searches show; null where there is none. */
function findListedPage(
  { byId }: SearchedSpaces,
  { spaceId, pageId }: { readonly spaceId: string; readonly pageId: string },
): { readonly space: SearchedSpace; readonly page: IndexedPage } | null {
  const space = byId.get(spaceId);
  const page = space?.content.pages.byId.get(pageId);
  if (space === undefined || page === undefined || page.isHidden || page.row.settings?.noIndex === true)
    return null;
  return { space, page };
}

/** Without the pages of which a release before this one stored what only some visitors see. */
async function leaveOutHidden<Found extends { readonly spaceId: string; readonly pageId: string }>(
  { platform }: SiteRequest,
  spaces: SearchedSpaces,
  found: readonly Found[],
): Promise<readonly Found[]> {
  const shown: Found[] = [];
  for (const each of found) {
    const listed = findListedPage(spaces, each);
    if (listed === null) continue;
    const { page, space } = listed;
    if (!(await maySearchShowHidden(platform, space.content, page.stored))) shown.push(each);
  }
  return shown;
}

interface Hit {
  readonly spaceId: string;
  readonly pageId: string;
  readonly title: string;
  readonly anchor: string | null;
  readonly excerpt: SiteSearchResult['excerpt'];
}

function presentResult(
  spaces: SearchedSpaces,
  { title, anchor, excerpt, ...hit }: Hit,
  addressOf: SiteAddresses['below'],
): SiteSearchResult[] {
  const found = findListedPage(spaces, hit);
  if (found === null) return [];
  const { page, space } = found;
  const { section, siteSpace } = space.location;
  const href = addressOf(siteSpace.path, page.row.path) + (anchor === null ? '' : toFragment(anchor));
  const trail = [
    ...(section === null || !spaces.areSeveral ? [] : [section.row.title]),
    ...ancestorsOf(page).map(({ row }) => row.title),
    ...(title === page.row.title ? [] : [page.row.title]),
  ];
  return [{ title, href, trail, excerpt }];
}

function resultsPage({ addresses }: SiteRequest, search: ShownSearch, words: Words): ShownPage {
  const address = addresses.below('~', 'search');
  return {
    id: '',
    title: words.search,
    emoji: null,
    description: null,
    heading: null,
    hasHero: false,
    body: renderFoundOnSite(search, { action: address, words }),
    outline: [],
    trail: [],
    previous: null,
    next: null,
    layout: {
      isWide: false,
      hasTitle: true,
      hasDescription: false,
      hasNavigation: true,
      hasOutline: true,
      hasPagination: false,
    },
    operations: null,
    cover: null,
    updatedAt: null,
    feedback: null,
    editHref: null,
    actions: null,
    markdownHref: null,
    canonical: addresses.canonical('~', 'search'),
    alternates: [],
    isIndexed: false,
    socialImage: null,
    structuredData: null,
  };
}
