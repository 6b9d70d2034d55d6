import {
  answerVerbatim,
  type CitedSentence,
  composeFrom,
  isModelOn,
  type Passage,
} from '../../platform/index.ts';
import { chosenLook } from '../choose-look.ts';
import type { SiteAddresses } from '../site-addresses.ts';
import type { SiteRequest } from '../site-request.ts';
import type { SiteSearchResult } from '../views/site-page.ts';
import {
  arrangeSpaces,
  contentsOf,
  findInAnyLanguage,
  findListedPage,
  leaveOutHidden,
  presentResult,
  type SearchedSpaces,
  type SpaceOfSite,
} from './searched-spaces.ts';

/** An answer to a question of a visitor, from the pages that they may open. */
export interface SiteAnswer {
  /** `sections`: what the pages say, word for word. `model`: composed of it, each sentence with what says it. */
  readonly madeBy: 'sections' | 'model' | 'nothing';
  /** Whether a model composes another answer now, which comes next where it may be shown. */
  readonly isComposing: boolean;
  /** Whether one would have, but this reader asked too often. */
  readonly isLimited: boolean;
  /** None where no model made it. They cite places in `results`. */
  readonly sentences: readonly CitedSentence[];
  /** The sections that say it, or that it cites. */
  readonly results: readonly SiteSearchResult[];
}

interface FoundSections {
  readonly passages: readonly Passage[];
  /** What a model may compose an answer from. */
  readonly candidates: readonly Passage[];
  readonly results: readonly SiteSearchResult[];
}

/**
 * Answers a question: with the best sections at once, and then, where a model is switched on for readers, with what it
 * composed of them.
 *
 * @param addressOf makes the addresses of results. @throws {TooManySearches}
 */
export async function* askSite(
  site: SiteRequest,
  searched: readonly SpaceOfSite[],
  question: string,
  addressOf: SiteAddresses['below'],
  signal?: AbortSignal,
): AsyncGenerator<SiteAnswer, void> {
  const { passages, candidates, results } = await findInAnyLanguage(
    searched,
    (spaces) => findSectionsOfSite(site, spaces, question, addressOf),
    (found) => found.passages.length > 0,
  );
  const open = searched.filter((space) => isForModels(site, space));
  const sent = candidates.filter(({ spaceId }) => open.some(({ content }) => content.space.id === spaceId));
  const hasModel = passages.length > 0 && sent.length > 0 && (await mayCompose(site, searched));
  const isComposing = hasModel && (await site.questions.take(site.request.ip));
  const isLimited = hasModel && !isComposing;
  yield {
    madeBy: results.length > 0 ? 'sections' : 'nothing',
    isComposing,
    isLimited,
    sentences: [],
    results,
  };
  if (!isComposing) return;
  const composed = await composeFrom(site.platform, {
    organizationId: site.served.site.organizationId,
    question,
    passages: sent,
    leavesShare: true,
    ...(signal === undefined ? {} : { signal }),
  });
  if (composed === null) {
    yield { madeBy: 'sections', isComposing: false, isLimited: false, sentences: [], results };
    return;
  }
  const cited = presentPassages(arrangeSpaces(searched), composed.passages, addressOf);
  yield {
    madeBy: 'model',
    isComposing: false,
    isLimited: false,
    sentences: composed.sentences,
    results: cited,
  };
}

/** Whether a model answers readers who ask in these spaces. */
export async function mayCompose(site: SiteRequest, searched: readonly SpaceOfSite[]): Promise<boolean> {
  const { platform, served } = site;
  return (
    searched.some((space) => isForModels(site, space)) &&
    (await isModelOn(platform, served.site.organizationId))
  );
}

/** Whether a space's pages may be sent to a model for readers. */
function isForModels({ served }: SiteRequest, { location }: SpaceOfSite): boolean {
  return chosenLook({ served, location }).ai.mode !== 'none';
}

/** The sections of these spaces that say most of a question, word for word; none where they do not answer it. */
export async function findSectionsOfSite(
  site: SiteRequest,
  searched: readonly SpaceOfSite[],
  question: string,
  addressOf: SiteAddresses['below'],
): Promise<FoundSections> {
  const { platform, request, searches } = site;
  const spaces = arrangeSpaces(searched);
  const isReadable = (page: { readonly spaceId: string; readonly pageId: string }) =>
    findListedPage(spaces, page) !== null;
  const verbatim = await searches.take(request.ip, () =>
    answerVerbatim(platform.db, contentsOf(spaces), question, isReadable),
  );
  const candidates = await leaveOutHidden(site, spaces, verbatim.candidates);
  const passages = verbatim.passages.filter((passage) => candidates.includes(passage));
  return { passages, candidates, results: presentPassages(spaces, passages, addressOf) };
}

function presentPassages(
  spaces: SearchedSpaces,
  passages: readonly Passage[],
  addressOf: SiteAddresses['below'],
): readonly SiteSearchResult[] {
  return passages.flatMap(
    ({ heading, text, ...passage }) =>
      presentResult(
        spaces,
        { ...passage, title: heading ?? passage.title, excerpt: [{ text, isMatch: false }] },
        addressOf,
      ) ?? [],
  );
}
