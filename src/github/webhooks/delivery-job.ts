import { Type } from 'typebox';
import { defineJob } from '../../queue/queue.ts';

/**
 * The work of one webhook delivery. Deliveries about one branch or one pull request run one at a time in the
 * order of their arrival, and none of them waits for another subject: a pull request is checked also while an
 * import of its repository fails and is tried again. Ten tries with growing pauses reach over more than an hour,
 * longer than most outages of GitHub's API.
 */
export const deliveryJob = defineJob({
  name: 'github.delivery',
  payload: Type.Object({
    deliveryId: Type.String(),
    repositoryId: Type.Integer(),
    /** What in the repository it is about: a full ref name, or `pull/7`. */
    subject: Type.String(),
  }),
  retryLimit: 10,
  retryDelay: 2,
  retryDelayMax: 900,
  expireInSeconds: 900,
  key: ({ repositoryId, subject }) => `${repositoryId}/${subject}`,
  concurrency: 4,
});
