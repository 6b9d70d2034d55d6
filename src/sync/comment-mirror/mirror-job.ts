import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/**
 * Makes the comments of a pull request and those of the change requests that it carries the same, as far as they are not.
 * It reads a few pages, and writes one call for each comment that is new, changed or deleted.
 */
export const mirrorJob = defineJob({
  name: 'sync.comments',
  payload: Type.Object({
    repositoryId: Type.Integer(),
    installationId: Type.Integer(),
    /** Of the pull request. */
    number: Type.Integer({ minimum: 1 }),
  }),
  retryLimit: 8,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 600,
  concurrency: 2,
  key: ({ repositoryId, number }) => `${repositoryId}/${number}`,
  rateLimit: ({ repositoryId, installationId }) => ({
    key: `github:installation/${installationId}/comments`,
    share: String(repositoryId),
    limits: { concurrency: 2, rates: [{ count: 30, ms: 60_000 }] },
  }),
});
