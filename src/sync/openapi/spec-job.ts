import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Gives the platform the specifications of a repository that changed, or fetches one of an address again. */
export const specJob = defineJob({
  name: 'sync.openapi',
  payload: Type.Object({
    repositoryId: Type.Integer(),
    installationId: Type.Integer(),
    /** The one whose schedule came. Absent: all are looked at. */
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
