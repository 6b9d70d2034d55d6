import { Type } from 'typebox';
import { defineJob } from '../../queue/queue.ts';

/**
 * The work of one webhook delivery. Deliveries of one repository run one at a time in the order of their
 * arrival. Ten tries with growing pauses reach over more than an hour, longer than most outages of GitHub's API.
 */
export const deliveryJob = defineJob({
  name: 'github.delivery',
  payload: Type.Object({ deliveryId: Type.String(), repositoryId: Type.Integer() }),
  retryLimit: 10,
  retryDelay: 2,
  retryDelayMax: 900,
  expireInSeconds: 900,
  key: (payload) => String(payload.repositoryId),
  concurrency: 4,
});
