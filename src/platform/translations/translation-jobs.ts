import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Starts or continues the run of a translation. */
export const translationJob = defineJob({
  name: 'translation.run',
  payload: Type.Object({ translationId: Type.String() }),
  // For internal errors; a failure of a provider is a result.
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 30 * 60,
  key: ({ translationId }) => translationId,
  concurrency: 1,
});

/** Sends one batch of texts to a provider: one request, so that a rate limit of jobs limits requests. */
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
  // The run is part of the key, since the job of an earlier run finds nothing to do.
  key: ({ translationId, run, batch }) => `${translationId}/${run}/${batch}`,
  concurrency: 4,
  rateLimit: ({ host, translationId, perMinute }) => ({
    key: `host:${host}/translations`,
    share: translationId,
    limits: { concurrency: 4, rates: [{ count: perMinute, ms: 60_000 }] },
  }),
});
