import { Type } from 'typebox';
import { defineJob } from '../../src/queue/index.ts';

/** The job of `worker-process.ts`. */
export const crashing = defineJob({
  name: 'test.crashing',
  payload: Type.Object({ n: Type.Integer() }),
  retryLimit: 1,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 600,
  concurrency: 1,
  key: () => 'one',
});
