import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Probes one address once. The response may lead to another such job: by GET, or at the redirect's target. */
export const linkJob = defineJob({
  name: 'sync.external-link',
  payload: Type.Object({
    /** The address that pages link to, without a fragment. */
    url: Type.String(),
    at: Type.String(),
    method: Type.Enum(['HEAD', 'GET']),
    hops: Type.Integer(),
    isPermanent: Type.Boolean(),
    /** The installation that the probe is for. */
    share: Type.String(),
  }),
  retryLimit: 5,
  retryDelay: 60,
  retryDelayMax: 3600,
  expireInSeconds: 180,
  concurrency: 16,
  key: ({ url }) => url,
  rateLimit: ({ at, share }) => ({
    key: `host:${new URL(at).host}`,
    share,
    limits: { concurrency: 2, rates: [{ count: 1, ms: 1_000 }] },
  }),
});

/** Records which addresses the pages of a repository's spaces link to, and enqueues probes of those that are due. */
export const gatherJob = defineJob({
  name: 'sync.external-links',
  payload: Type.Object({ repositoryId: Type.Integer() }),
  retryLimit: 5,
  retryDelay: 60,
  retryDelayMax: 3600,
  expireInSeconds: 900,
  concurrency: 1,
  key: ({ repositoryId }) => String(repositoryId),
});
