import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Reads the new source of a specification. */
export const openapiJob = defineJob({
  name: 'openapi.read',
  payload: Type.Object({ specId: Type.String() }),
  // For internal errors; that a specification cannot be fetched or parsed is a result.
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 15 * 60,
  key: ({ specId }) => specId,
  // Reading one specification may need gigabytes of memory.
  concurrency: 1,
});
