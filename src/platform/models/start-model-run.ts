import type { PlatformLog } from '../deps.ts';
import type { GuidedModel } from './find-model.ts';
import { ModelRefusal } from './model-refusal.ts';

/** After so many requests in a row without an answer, the model is considered out of service. */
const MAX_UNANSWERED = 3;

/** `refused`: the model answered, and what it said cannot be used. `unavailable`: it did not answer. */
export type ModelOutcome<T> =
  | { readonly kind: 'made'; readonly value: T }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' };

/** Many requests of one job, for which nobody waits. */
export interface ModelRun {
  /** False from when the day's tokens are used up, or the model did not answer several times: then nothing is requested any more. */
  readonly isUsable: boolean;
  /** @param make null for an answer that cannot be used */
  request<T>(make: (guided: GuidedModel) => Promise<T | null>): Promise<ModelOutcome<T>>;
}

/** @param guided null for no model: nothing is ever requested. */
export function startModelRun(guided: GuidedModel | null, log: PlatformLog): ModelRun {
  let unanswered = 0;
  let isOver = guided === null;
  return {
    get isUsable() {
      return !isOver;
    },
    async request(make) {
      if (guided === null || isOver) return { kind: 'unavailable' };
      try {
        const value = await make(guided);
        unanswered = 0;
        return value === null ? { kind: 'refused' } : { kind: 'made', value };
      } catch (error) {
        if (!(error instanceof ModelRefusal)) throw error;
        if (error.reason === 'wrong-answer' || error.reason === 'too-large') {
          unanswered = 0;
          return { kind: 'refused' };
        }
        if (error.reason !== 'busy') unanswered += 1;
        if (!isOver && (error.reason === 'budget' || unanswered >= MAX_UNANSWERED)) {
          isOver = true;
          log.warn(
            { reason: error.reason },
            `Conversations are read without the model for now: ${error.message}`,
          );
        }
        return { kind: 'unavailable' };
      }
    },
  };
}
