import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Begins or goes on with the run of a translation. */
export const translationJob = defineJob({
  name: 'translation.run',
  payload: Type.Object({ translationId: Type.String() }),
  // For faults of our own; what a provider does is an outcome.
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 30 * 60,
  key: ({ translationId }) => translationId,
  concurrency: 1,
});

/** Sends one batch of texts to a provider: one request, so that a rate limit of jobs is one of requests. */
export const batchJob = defineJob({
  name: 'translation.batch',
  payload: Type.Object({
    translationId: Type.String(),
    run: Type.Integer(),
    batch: Type.Integer(),
    host: Type.String(),
    perMinute: Type.Integer(),
  }),
  retryLimit: 4,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 5 * 60,
  // A batch of an earlier run, which finds nothing to do, may not stand for one of this run.
  key: ({ translationId, run, batch }) => `${translationId}/${run}/${batch}`,
  concurrency: 4,
  rateLimit: ({ host, translationId, perMinute }) => ({
    key: `host:${host}/translations`,
    share: translationId,
    limits: { concurrency: 4, rates: [{ count: perMinute, ms: 60_000 }] },
  }),
});
