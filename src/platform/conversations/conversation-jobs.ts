import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** Work on all conversations of an organization, once at a time. */
const ofOrganization = {
  payload: Type.Object({ organizationId: Type.String() }),
  retryLimit: 8,
  retryDelay: 2,
  retryDelayMax: 300,
  expireInSeconds: 15 * 60,
  key: ({ organizationId }: { readonly organizationId: string }) => organizationId,
  concurrency: 1,
} as const;

/** Makes the issues of an organization's conversations that have none yet, or have changed. */
export const conversationJob = defineJob({ name: 'conversations.process', ...ofOrganization });

/** Groups all issues of an organization. */
export const clusterJob = defineJob({ name: 'conversations.cluster', ...ofOrganization });
