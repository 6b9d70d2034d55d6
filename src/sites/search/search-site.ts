import { searchContents } from '../../platform/index.ts';
import type { SiteAddresses } from '../site-addresses.ts';
import { readPublished, type SiteRequest } from '../site-request.ts';
import type { SiteSearchResult } from '../views/site-page.ts';
import { findSectionsOfSite } from './ask-site.ts';
import {
  arrangeSpaces,
  contentsOf,
  findInAnyLanguage,
  leaveOutHidden,
  loadWholeSite,
  presentResult,
  type SpaceOfSite,
} from './searched-spaces.ts';

/** In characters. */
export const MAX_QUERY = 200;

/** Of one space. */
const MAX_PAGES = 20;

/** What a search of a site found for a visitor. */
export interface FoundOnSite {
  readonly results: readonly SiteSearchResult[];
  /** The query to which the results belong, where the one that was asked is misspelt; null where it is not. */
  readonly corrected: string | null;
  /** Whether no page has all words of the query, and the results are the sections that say most of it. */
  readonly isAnswer: boolean;
}

export const NOTHING_FOUND: FoundOnSite = { results: [], corrected: null, isAnswer: false };

/** A query of fewer words is no question. */
const MIN_QUESTION_WORDS = 3;
/** So many letters without a space between them, as some scripts are written, are as much. */
const UNSPACED_QUESTION =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{6}/u;

/** Whether a query says enough to be answered, and not only searched. */
export function isAskable(query: string): boolean {
  return query.split(/\s+/).length >= MIN_QUESTION_WORDS || UNSPACED_QUESTION.test(query);
}

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
  return await searchSiteSpaces(site, await loadWholeSite(site), query.slice(0, MAX_QUERY), addressOf);
}

/** As {@link searchSite}, in these spaces only; in all of their languages where the one that is searched has nothing. */
export async function searchSiteSpaces(
  site: SiteRequest,
  searched: readonly SpaceOfSite[],
  query: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundOnSite> {
  if (query === '') return NOTHING_FOUND;
  return await findInAnyLanguage(
    searched,
    (spaces) => findOnSite(site, spaces, query, addressOf),
    ({ results }) => results.length > 0,
  );
}

async function findOnSite(
  site: SiteRequest,
  searched: readonly SpaceOfSite[],
  query: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundOnSite> {
  const { request, searches } = site;
  const spaces = arrangeSpaces(searched);
  const found = await searches.take(request.ip, () =>
    readPublished(site, ({ db }) => searchContents(db, contentsOf(spaces), query, MAX_PAGES)),
  );
  const hits = await leaveOutHidden(site, spaces, found.hits);
  const results = hits.flatMap((hit) => presentResult(spaces, hit, addressOf) ?? []);
  if (results.length > 0) return { results, corrected: found.corrected, isAnswer: false };
  if (!isAskable(query)) return NOTHING_FOUND;
  const { results: sections } = await findSectionsOfSite(site, searched, query, addressOf);
  return { results: sections, corrected: null, isAnswer: sections.length > 0 };
}
