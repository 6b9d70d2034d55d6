import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Exports the edits of a binding's space to its branch, one job at a time per binding. */
export const exportJob = defineJob({
  name: 'sync.export',
  payload: Type.Object({ bindingId: Type.String(), installationId: Type.Integer() }),
  retryLimit: 12,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 900,
  concurrency: 4,
  key: ({ bindingId }) => bindingId,
  rateLimit: ({ bindingId, installationId }) => ({
    key: `github:installation/${installationId}/exports`,
    share: bindingId,
    limits: { concurrency: 2, rates: [{ count: 30, ms: 60_000 }] },
  }),
});
