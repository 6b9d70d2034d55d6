import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Uploads the changed specifications of a repository to the platform, or again the one whose schedule is due. */
export const specJob = defineJob({
  name: 'sync.openapi',
  payload: Type.Object({
    repositoryId: Type.Integer(),
    installationId: Type.Integer(),
    /** The specification whose schedule is due. When absent, all are checked. */
    name: Type.Optional(Type.String()),
  }),
  retryLimit: 8,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 1_200,
  concurrency: 2,
  key: ({ repositoryId, name = '' }) => `${repositoryId}/${name}`,
  rateLimit: ({ repositoryId, installationId }) => ({
    key: `github:installation/${installationId}/openapi`,
    share: String(repositoryId),
    limits: { concurrency: 2, rates: [{ count: 30, ms: 60_000 }] },
  }),
});
