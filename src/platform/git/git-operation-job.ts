import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Runs the due operations of a space. One job per operation is enqueued; the first may run all of them. */
export const gitOperationJob = defineJob({
  name: 'git.operation',
  payload: Type.Object({ spaceId: Type.String() }),
  // Failures of imports are counted with the operation; these retries are for internal errors, such as a lost database.
  retryLimit: 10,
  retryDelay: 1,
  retryDelayMax: 30,
  expireInSeconds: 30 * 60,
  key: ({ spaceId }) => spaceId,
  concurrency: 2,
});
