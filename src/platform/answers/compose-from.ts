import type { PlatformDeps } from '../deps.ts';
import { findModel } from '../models/find-model.ts';
import { ModelRefusal } from '../models/model-refusal.ts';
import type { ModelRequest } from '../models/open-model.ts';
import type { Passage } from './answer-question.ts';
import { type CitedSentence, composeAnswer } from './compose-answer.ts';

/** An answer of a model, with the passages that its sentences cite. */
export interface ComposedAnswer {
  readonly sentences: readonly CitedSentence[];
  readonly passages: readonly Passage[];
}

interface Question extends Pick<ModelRequest<never>, 'leavesShare' | 'signal'> {
  readonly organizationId: string;
  readonly question: string;
  /** What says most of the question, of what the asker may read. */
  readonly passages: readonly Passage[];
}

/**
 * What the model composes from passages; null where there is none, or nothing of it may be shown, or nobody waits for it any
 * more.
 */
export async function composeFrom(
  { db, model = null, log }: Pick<PlatformDeps, 'db' | 'model' | 'log'>,
  { organizationId, question, passages, ...options }: Question,
): Promise<ComposedAnswer | null> {
  const guided = passages.length === 0 ? null : await findModel({ db, model }, organizationId);
  if (guided === null) return null;
  try {
    const sentences = await composeAnswer(guided, { question, passages, ...options });
    if (sentences === null) return null;
    const cited = [...new Set(sentences.flatMap(({ cites }) => cites))];
    return {
      sentences: sentences.map(({ text, cites }) => ({ text, cites: cites.map((at) => cited.indexOf(at)) })),
      passages: cited.map((at) => passages[at] as Passage),
    };
  } catch (error) {
    if (options.signal?.aborted === true) return null;
    if (!(error instanceof ModelRefusal)) throw error;
    log.warn({ reason: error.reason }, `A question was answered without the model: ${error.message}`);
    return null;
  }
}
