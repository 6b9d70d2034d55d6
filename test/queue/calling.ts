import { Type } from 'typebox';
import { defineJob } from '../../src/queue/index.ts';

/** The rate of every host of the storm. */
export const hostRate = { count: 5, ms: 1_000 };

/** The job of `calling-process.ts`: one call of a host. */
export const calling = defineJob({
  name: 'test.calling',
  payload: Type.Object({ n: Type.Integer(), host: Type.String(), who: Type.String() }),
  retryLimit: 50,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 60,
  concurrency: 100,
  lane: ({ host, who }) => ({
    key: `host:${host}`,
    share: who,
    limits: { concurrency: 3, rates: [hostRate] },
  }),
});
