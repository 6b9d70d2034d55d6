import { MAX_QUESTION } from '../../platform/index.ts';
import { folderOfLanguage } from '../content/folder-languages.ts';
import { type ReachableScope, readSearchOrigin, scopesFrom, searchOrigin } from '../content/search-scopes.ts';
import { languageAt } from '../content/untranslated-pages.ts';
import { type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { mayCompose } from '../search/ask-site.ts';
import { recordMissedSearch } from '../search/record-missed-search.ts';
import {
  type FoundOnSite,
  isAskable,
  MAX_QUERY,
  NOTHING_FOUND,
  searchSiteSpaces,
} from '../search/search-site.ts';
import { TooManySearches } from '../search/search-turns.ts';
import { inLanguage, loadSpaces, type SpaceOfSite } from '../search/searched-spaces.ts';
import { encodingFor, sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { renderPlainPage } from '../views/render-plain-page.ts';
import { renderFoundOnSite } from '../views/search-results.ts';
import { siteAssets } from '../views/site-assets.ts';
import type { SearchAnswer, ShownScope } from '../views/site-page.ts';
import { fill, type Words, wordsFor } from '../views/words/index.ts';
import { finishResults } from './results-page.ts';

/** Searches are not shared between readers, so only their browsers keep them, for as long as somebody types. */
const CACHING = 'private, max-age=30';

/** Where a search is made: how far it reaches, and from which space. */
export interface SearchPlace {
  readonly spaces: readonly SpaceOfSite[];
  /** Whose frame and language the results have. */
  readonly first: SpaceOfSite;
  readonly from: string;
  readonly scope: string;
  readonly scopes: readonly ShownScope[];
  /** Of the reader. */
  readonly language: string;
  readonly words: Words;
}

/** @param values `from`, the site-space that is read and its language, and `scope`, how far the search reaches from there. Null for a site without content. */
export async function locateSearch(
  site: SiteRequest,
  { from, scope }: { readonly from?: string | undefined; readonly scope?: string | undefined },
): Promise<SearchPlace | null> {
  const origin = readSearchOrigin(from);
  const scopes = scopesFrom(site.structure, origin.siteSpaceId);
  const chosen = scopes.find(({ name }) => name === scope) ?? scopes[0];
  const spaces = inLanguage(await loadSpaces(site, chosen?.locations ?? []), origin.language);
  const first = spaces.find(({ location }) => location.siteSpace.row.id === origin.siteSpaceId) ?? spaces[0];
  if (chosen === undefined || first === undefined) return null;
  const { content, location } = first;
  const isOther = folderOfLanguage(content.languages, origin.language) !== null;
  const language = (isOther ? origin.language : null) ?? languageAt(content, '');
  const words = wordsFor(language);
  return {
    spaces,
    first,
    language,
    from: searchOrigin(location.siteSpace.row.id, content, language),
    scope: chosen.name,
    scopes: showScopes(scopes, chosen, words),
    words,
  };
}

/** `~/search?q=…`: the sections that match, as a page, or as JSON for who asks for it. */
export async function answerSearch(site: SiteRequest): Promise<boolean> {
  const { q = '', ...values } = site.request.query as Readonly<Record<string, string | undefined>>;
  const asked = String(q).slice(0, MAX_QUESTION).trim();
  const query = asked.slice(0, MAX_QUERY).trim();
  const place = await locateSearch(site, values);
  if (place === null) return false;
  const { spaces, scopes, words } = place;
  const isForProgram = site.request.headers.accept?.includes('application/json') === true;
  let found: FoundOnSite = NOTHING_FOUND;
  try {
    found = await searchSiteSpaces(site, spaces, query, site.addresses.below);
  } catch (error) {
    if (!(error instanceof TooManySearches)) throw error;
    site.reply.header('retry-after', String(error.retryAfter));
    return await (isForProgram ? refuseProgram(site, error) : refusePerson(site, place, query));
  }
  const caching = site.isForEverybody ? CACHING : undefined;
  const said = describeFound(query, found, words);
  const canAsk = isAskable(asked) && (await mayCompose(site, spaces));
  if (isForProgram) {
    const { results, corrected } = found;
    const ask = canAsk
      ? {
          href: site.addresses.below('~', 'ask'),
          script: site.addresses.below('~', 'assets', siteAssets().askScript.name),
          label: words.answerThis,
          answerLabel: words.answer,
        }
      : null;
    const answer: SearchAnswer = { results, corrected, said, scopes, ask };
    return sendFinished(site, await finishJson(site, answer), caching);
  }
  if (query !== '' && found.results.length === 0) await recordMissedSearch(site, query);
  const page = await finishResults(site, place, {
    query: asked,
    results: found.results,
    said,
    scopes,
    canAsk,
    sentences: [],
  });
  return sendFinished(site, page, caching);
}

/** One sentence above the results. */
function describeFound(query: string, { results, corrected, isAnswer }: FoundOnSite, words: Words): string {
  if (query === '') return '';
  if (results.length === 0) return fill(words.nothingFound, { query });
  if (isAnswer) return words.nearestSections;
  const count = fill(words.results, { count: String(results.length) });
  return corrected === null ? count : `${fill(words.showingInstead, { query, corrected })} ${count}`;
}

/** An answer for a program that shall come again later. */
export async function refuseProgram(site: SiteRequest, { message }: TooManySearches): Promise<boolean> {
  const answer = await finishJson(site, { error: { code: 429, message } }, 429);
  return sendFinished(site, answer, 'private, no-store');
}

async function finishJson({ request }: SiteRequest, answer: object, status = 200): Promise<FinishedAnswer> {
  return await finishAnswer(JSON.stringify(answer), {
    status,
    contentType: 'application/json; charset=utf-8',
    onceIn: encodingFor(request.headers),
  });
}

/** A page for a person who shall come again later. It is plain: the frame of the site would cost what is scarce at that moment. */
export function refusePerson({ reply, addresses }: SiteRequest, place: SearchPlace, query: string): boolean {
  const { language, words, from, scope } = place;
  const page = renderPlainPage({
    language,
    assetsHref: `${addresses.below('~', 'assets')}/`,
    title: words.search,
    body: renderFoundOnSite(
      { query, results: [], said: words.searchBusy, scopes: [], canAsk: false, sentences: [], from, scope },
      { action: addresses.below('~', 'search'), askAction: addresses.below('~', 'ask'), words },
    ),
    canonical: null,
  });
  reply.code(429).header('cache-control', 'private, no-store').type('text/html; charset=utf-8').send(page);
  return true;
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
