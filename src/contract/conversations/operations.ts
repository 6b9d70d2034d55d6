import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Order, pagingFields } from '../paging.ts';
import {
  Conversation,
  ConversationContent,
  ConversationInput,
  ConversationSource,
  IssuesCluster,
  IssueWithConversation,
  NearestPage,
} from './conversation.ts';

const tag = 'Conversations';
const organization = '/orgs/:organizationId';

export const conversationOperations = {
  listIssuesClusters: defineOperation({
    id: 'listConversationsIssuesClusters',
    method: 'GET',
    path: `${organization}/conversations-clusters`,
    tag,
    summary: 'List what people ask about: clusters of issues of conversations.',
    description:
      'A cluster has at least two issues. Clusters are made anew after conversations have come; one whose issues remain keeps its id.',
    query: Type.Object(
      {
        ...pagingFields,
        order: Type.Optional(Order),
        orderBy: Type.Optional(
          Type.Enum(['updatedAt', 'issues', 'conversations'], { type: 'string', default: 'updatedAt' }),
        ),
        source: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'Only those with an issue from this source. An extension.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(IssuesCluster) },
    errors: ['role-too-low'],
  }),

  getIssuesCluster: defineOperation({
    id: 'getConversationsIssuesCluster',
    method: 'GET',
    path: `${organization}/conversations-clusters/:clusterId`,
    tag,
    summary: 'Read a cluster of issues.',
    responses: { 200: IssuesCluster },
    errors: ['role-too-low'],
    extension: true,
  }),

  listNearestPages: defineOperation({
    id: 'listNearestPagesOfIssuesCluster',
    method: 'GET',
    path: `${organization}/conversations-clusters/:clusterId/pages`,
    tag,
    summary: 'List the pages that say most of what a cluster is about, the nearest first.',
    description:
      'At most five, of all spaces that the caller may see. A page for what they do not say is written like any other: create a change request of the space, and a page in it.',
    responses: {
      200: Type.Object({ object: Type.Literal('list'), items: Type.Array(NearestPage) }),
    },
    errors: ['role-too-low'],
    extension: true,
  }),

  listConversations: defineOperation({
    id: 'listConversations',
    method: 'GET',
    path: `${organization}/conversations`,
    tag,
    summary: 'List conversations, the newest first.',
    query: Type.Object(
      {
        ...pagingFields,
        source: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: 'Only those of this source.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Conversation) },
    errors: ['role-too-low'],
  }),

  ingestConversation: defineOperation({
    id: 'ingestConversation',
    method: 'POST',
    path: `${organization}/conversations`,
    tag,
    summary: 'Ingest a conversation, or up to 100 of them.',
    description: [
      'A conversation is stored once for each `id` of a source; sent again, it replaces what was stored. What is answered with 204 is stored, and its issues and clusters follow, also after a crash.',
      'E-mail addresses, tokens and passwords, card numbers and phone numbers are replaced by `[email]`, `[token]`, `[card]` and `[phone]` before anything is stored.',
      '`metadata.attributes.source` says where it comes from: `email`, a name such as `zendesk`, or a whole source such as `integration:zendesk:eu`. Without it, the source is `integration:api:default`. Conversations are deleted `CONVERSATION_DAYS` days (365) after they came last; an organization has at most 50,000.',
    ].join('\n\n'),
    body: Type.Union([ConversationInput, Type.Array(ConversationInput, { maxItems: 100 })]),
    bodyLimit: 8 * 1024 * 1024,
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'limit-reached'],
  }),

  listConversationSources: defineOperation({
    id: 'listConversationSources',
    method: 'GET',
    path: `${organization}/conversations-sources`,
    tag,
    summary: 'List where conversations come from, the sources with the most first; at most 100.',
    responses: {
      200: Type.Object({ object: Type.Literal('list'), items: Type.Array(ConversationSource) }),
    },
    errors: ['role-too-low'],
    extension: true,
  }),

  deleteConversations: defineOperation({
    id: 'deleteConversationsOfSource',
    method: 'DELETE',
    path: `${organization}/conversations-sources/:conversationSource`,
    tag,
    summary: 'Delete the conversations of a source with their issues, or one of them.',
    description: 'The source is sent as one segment, with its slashes as `%2F`.',
    query: Type.Object(
      {
        id: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'The id that the source sent: only this conversation.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),

  listConversationIssues: defineOperation({
    id: 'listConversationsIssues',
    method: 'GET',
    path: `${organization}/conversations-issues`,
    tag,
    summary: 'List the issues of conversations, the newest first.',
    query: Type.Object(
      {
        ...pagingFields,
        cluster: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Only those in this cluster.' }),
        ),
        conversation: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Only those of this conversation.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(IssueWithConversation) },
    errors: ['role-too-low'],
  }),

  getConversationIssue: defineOperation({
    id: 'getConversationIssueById',
    method: 'GET',
    path: `${organization}/conversations-issues/:issueId`,
    tag,
    summary: 'Read an issue with its conversation.',
    responses: { 200: IssueWithConversation },
    errors: ['role-too-low'],
  }),

  getConversation: defineOperation({
    id: 'getConversationById',
    method: 'GET',
    path: `${organization}/conversations/:conversationId`,
    tag,
    summary: 'Read a conversation with what was said.',
    responses: { 200: ConversationContent },
    errors: ['role-too-low'],
  }),
} as const;
