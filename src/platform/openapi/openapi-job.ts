import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Reads the source of a specification that is due. */
export const openapiJob = defineJob({
  name: 'openapi.read',
  payload: Type.Object({ specId: Type.String() }),
  // For internal errors; a description that cannot be fetched or read is a result.
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 15 * 60,
  key: ({ specId }) => specId,
  // One reading may take gigabytes.
  concurrency: 1,
});
