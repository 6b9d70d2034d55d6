import type { PlatformDeps } from '../deps.ts';
import { findModel } from '../models/find-model.ts';
import { ModelRefusal } from '../models/model-refusal.ts';
import type { Passage, VerbatimAnswer } from './answer-question.ts';
import { type CitedSentence, composeAnswer } from './compose-answer.ts';

/** An answer of a model, with the passages that its sentences cite. */
export interface ComposedAnswer {
  readonly sentences: readonly CitedSentence[];
  readonly passages: readonly Passage[];
}

/** What the model composes from the sections that were found; null where there is none, or nothing of it may be shown. */
export async function composeFrom(
  { db, model = null, log }: Pick<PlatformDeps, 'db' | 'model' | 'log'>,
  {
    organizationId,
    question,
    verbatim,
  }: { readonly organizationId: string; readonly question: string; readonly verbatim: VerbatimAnswer },
): Promise<ComposedAnswer | null> {
  const guided = verbatim.madeBy === 'nothing' ? null : await findModel({ db, model }, organizationId);
  if (guided === null) return null;
  try {
    const sentences = await composeAnswer(guided, { question, passages: verbatim.candidates });
    if (sentences === null) return null;
    const cited = [...new Set(sentences.flatMap(({ cites }) => cites))];
    return {
      sentences: sentences.map(({ text, cites }) => ({ text, cites: cites.map((at) => cited.indexOf(at)) })),
      passages: cited.map((at) => verbatim.candidates[at] as Passage),
    };
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    log.warn({ reason: error.reason }, `A question was answered without the model: ${error.message}`);
    return null;
  }
}
