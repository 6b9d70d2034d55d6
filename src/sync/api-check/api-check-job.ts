import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Checks what a pull request changes in the specifications of its repository. */
export const apiCheckJob = defineJob({
  name: 'sync.api-check',
  payload: Type.Object({
    repositoryId: Type.Integer(),
    installationId: Type.Integer(),
    number: Type.Integer(),
    /** The delivery of a request to check it again. */
    rerun: Type.Optional(Type.String()),
  }),
  retryLimit: 6,
  retryDelay: 2,
  retryDelayMax: 600,
  expireInSeconds: 1_200,
  concurrency: 2,
  key: ({ repositoryId, number }) => `${repositoryId}/${number}`,
});
