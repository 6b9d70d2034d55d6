import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Updates a repository's issue about dead links. */
export const issueJob = defineJob({
  name: 'sync.external-links-issue',
  payload: Type.Object({ repositoryId: Type.Integer(), installationId: Type.Integer() }),
  retryLimit: 8,
  retryDelay: 60,
  retryDelayMax: 3600,
  expireInSeconds: 180,
  concurrency: 2,
  key: ({ repositoryId }) => String(repositoryId),
  rateLimit: ({ repositoryId, installationId }) => ({
    key: `github:installation/${installationId}/issues`,
    share: String(repositoryId),
    limits: { concurrency: 1, rates: [{ count: 10, ms: 60_000 }] },
  }),
});
