import { Type } from 'typebox';
import { defineJob } from '../../src/queue/index.ts';

/** The limits of each host of the storm. */
export const hostLimits = { concurrency: 3, rates: [{ count: 10, ms: 4_000 }] } as const;

/** The job of `calling-process.ts`: one call of a host. */
export const calling = defineJob({
  name: 'test.calling',
  payload: Type.Object({ n: Type.Integer(), host: Type.String(), who: Type.String() }),
  retryLimit: 50,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 60,
  concurrency: 100,
  rateLimit: ({ host, who }) => ({
    key: `host:${host}`,
    share: who,
    limits: hostLimits,
  }),
});
