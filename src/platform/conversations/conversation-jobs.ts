import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Makes the issues of an organization's conversations that have none yet, or have changed. */
export const conversationJob = defineJob({
  name: 'conversations.process',
  payload: Type.Object({ organizationId: Type.String() }),
  retryLimit: 8,
  retryDelay: 2,
  retryDelayMax: 300,
  expireInSeconds: 15 * 60,
  key: ({ organizationId }) => organizationId,
  concurrency: 1,
});

/** Groups all issues of an organization. */
export const clusterJob = defineJob({
  name: 'conversations.cluster',
  payload: Type.Object({ organizationId: Type.String() }),
  retryLimit: 8,
  retryDelay: 2,
  retryDelayMax: 300,
  expireInSeconds: 15 * 60,
  key: ({ organizationId }) => organizationId,
  concurrency: 1,
});
