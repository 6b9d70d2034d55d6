import type { FinishedAnswer } from '../finished-answer.ts';
import { makeFrame } from '../make-frame.ts';
import type { SpaceOfSite } from '../search/searched-spaces.ts';
import { encodingFor } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { ownPage } from '../views/own-page.ts';
import { renderFoundOnSite, type ShownSearch } from '../views/search-results.ts';
import type { ShownPage } from '../views/site-page.ts';
import type { Words } from '../views/words/index.ts';
import { finishPage } from './finish-page.ts';

/** The page of what a search found, or of an answer. */
export async function finishResults(
  site: SiteRequest,
  { first, from, scope, language, words }: Place,
  shown: Omit<ShownSearch, 'from' | 'scope'>,
): Promise<FinishedAnswer> {
  const frame = makeFrame({ ...site, ...first, page: null, language, variants: [] });
  return await finishPage(
    { frame, page: resultsPage(site, { ...shown, from, scope }, words) },
    { onceIn: encodingFor(site.request.headers) },
  );
}

interface Place {
  readonly first: SpaceOfSite;
  readonly from: string;
  readonly scope: string;
  readonly language: string;
  readonly words: Words;
}

function resultsPage({ addresses }: SiteRequest, search: ShownSearch, words: Words): ShownPage {
  return ownPage({
    title: words.search,
    body: renderFoundOnSite(search, {
      action: addresses.below('~', 'search'),
      askAction: addresses.below('~', 'ask'),
      words,
    }),
    canonical: addresses.canonical('~', 'search'),
  });
}
