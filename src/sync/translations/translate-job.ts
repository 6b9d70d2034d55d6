import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Brings the translations of one of a repository's spaces up to date. */
export const translateJob = defineJob({
  name: 'sync.translate',
  payload: Type.Object({ repositoryId: Type.Integer(), space: Type.String() }),
  retryLimit: 5,
  retryDelay: 10,
  retryDelayMax: 600,
  expireInSeconds: 300,
  concurrency: 2,
  key: ({ repositoryId, space }) => `${repositoryId}/${space}`,
});
