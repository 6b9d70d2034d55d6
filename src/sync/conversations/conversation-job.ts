import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/** What of a repository becomes a conversation, by GitHub's own word in addresses. */
export const QuestionKind = Type.Enum(['issues', 'discussions']);

/**
 * Makes the conversation of an issue or a discussion what that is now, or lists all that a repository has and enqueues those
 * that changed. Both make about two calls for each, so together they leave most of an installation's hourly limit to pushes.
 */
export const conversationSyncJob = defineJob({
  name: 'sync.conversations',
  payload: Type.Object({
    repositoryId: Type.Integer(),
    installationId: Type.Integer(),
    /** One of them. When absent, all are listed. */
    question: Type.Optional(Type.Object({ kind: QuestionKind, number: Type.Integer({ minimum: 1 }) })),
  }),
  retryLimit: 8,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 600,
  concurrency: 2,
  key: ({ repositoryId, question }) =>
    question === undefined ? String(repositoryId) : `${repositoryId}/${question.kind}/${question.number}`,
  rateLimit: ({ repositoryId, installationId }) => ({
    key: `github:installation/${installationId}/conversations`,
    share: String(repositoryId),
    limits: { concurrency: 2, rates: [{ count: 30, ms: 60_000 }] },
  }),
});
