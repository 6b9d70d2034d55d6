import type { Database } from '../../store/index.ts';
import type { SearchedContent } from '../search/search-contents.ts';
import { choosePassage } from './choose-passage.ts';
import { type AnsweringSection, findSections } from './find-sections.ts';

/** Sections of an answer without a model. */
const SHOWN = 3;
/** One that says much less than the best adds nothing. */
const NEAR_THE_BEST = 0.6;

/** Where less speaks for the best sections, the pages do not answer. `npm run bench answers` measures it, and others. */
export const ENOUGH = 0.44;

/** A part of a page that an answer shows or cites, word for word. */
export interface Passage {
  readonly spaceId: string;
  readonly pageId: string;
  readonly title: string;
  readonly path: string;
  readonly anchor: string | null;
  readonly heading: string | null;
  readonly text: string;
}

/** An answer that shows what the pages say; without passages, they do not answer. */
export interface VerbatimAnswer {
  readonly madeBy: 'sections' | 'nothing';
  readonly passages: readonly Passage[];
  /** What a model may compose an answer from: the passages, and further ones. */
  readonly candidates: readonly Passage[];
}

/** Sections that a model is sent. */
const CANDIDATES = 6;

/** Answers a question by the best sections of contents, or says that there are none. */
export async function answerVerbatim(
  db: Database,
  contents: readonly SearchedContent[],
  question: string,
  isReadable?: (page: { readonly spaceId: string; readonly pageId: string }) => boolean,
): Promise<VerbatimAnswer> {
  const { sections, words } = await findSections(db, contents, question, {
    limit: CANDIDATES,
    ...(isReadable === undefined ? {} : { isReadable }),
  });
  const [best] = sections;
  if (best === undefined || !saysEnough(sections)) return { madeBy: 'nothing', passages: [], candidates: [] };
  const candidates = sections.map(({ score, strength: _strength, ordinal: _ordinal, body, ...section }) => ({
    score,
    passage: { ...section, text: choosePassage(body, words) },
  }));
  const told = candidates.filter(({ passage }) => passage.text !== '');
  return {
    madeBy: told.length > 0 ? 'sections' : 'nothing',
    passages: told
      .filter(({ score }) => score >= NEAR_THE_BEST * best.score)
      .slice(0, SHOWN)
      .map(({ passage }) => passage),
    candidates: told.map(({ passage }) => passage),
  };
}

/** Whether the best sections say enough of what the question says to be an answer. */
function saysEnough(sections: readonly Pick<AnsweringSection, 'strength'>[]): boolean {
  return strengthOf(sections) >= ENOUGH;
}

/** How much speaks for the best sections, compared with all that the question says. */
export function strengthOf(sections: readonly Pick<AnsweringSection, 'strength'>[]): number {
  return Math.max(0, ...sections.slice(0, SHOWN).map(({ strength }) => strength));
}
