import Type, { type Static } from 'typebox';
import { Id, Moment, MomentInput, Url } from '../scalars.ts';

/** How an issue, or what a cluster says of itself, was made. */
const Method = Type.Enum(['text', 'model'], {
  type: 'string',
  description:
    'Which way made it: from the sentences and terms of the conversations themselves, or by the model that is set up. An extension.',
});

const Message = {
  type: Type.Literal('message'),
  role: Type.Enum(['user', 'assistant', 'team-member'], { type: 'string' }),
};

export const ConversationPart = Type.Object(
  { ...Message, body: Type.String({ description: 'Markdown or HTML, redacted.' }) },
  { $id: 'ConversationPart' },
);

const attributes = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1_000 }), {
  maxProperties: 50,
  description: 'Whatever the source knows. `source` names the source itself; see the operation.',
});

/** A conversation as callers send it. */
export const ConversationInput = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Unique in its source. Sent again, it replaces the conversation.',
    }),
    subject: Type.Optional(Type.String({ maxLength: 512 })),
    metadata: Type.Optional(
      Type.Object(
        {
          url: Type.Optional(
            Type.String({ maxLength: 2_048, description: 'Where people read it: http or https.' }),
          ),
          attributes: Type.Optional(attributes),
          createdAt: Type.Optional(MomentInput),
        },
        { additionalProperties: false },
      ),
    ),
    parts: Type.Array(
      Type.Object(
        { ...Message, body: Type.String({ maxLength: 100_000, description: 'Markdown or HTML.' }) },
        { additionalProperties: false },
      ),
      { maxItems: 500 },
    ),
  },
  { additionalProperties: false },
);
export type ConversationInput = Static<typeof ConversationInput>;

/** A conversation that people had, with a team or a bot. */
export const Conversation = Type.Object(
  {
    object: Type.Literal('conversation'),
    id: Id,
    sourceId: Type.String({ description: 'The id that its source sent, redacted. An extension.' }),
    subject: Type.Optional(Type.String()),
    createdAt: Moment,
    processedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When its issues were made; absent until then.' }),
    ),
    source: Type.String({ description: 'For example `integration:zendesk:api`, or `email`.' }),
    urls: Type.Object({ location: Url, source: Type.Optional(Url) }),
  },
  { $id: 'Conversation' },
);
export type Conversation = Static<typeof Conversation>;

/** Where conversations come from. */
export const ConversationSource = Type.Object({
  source: Type.String({ description: 'For example `integration:zendesk:api`, or `email`.' }),
  conversations: Type.Integer(),
});

export const ConversationMetadata = Type.Object({
  url: Type.Optional(Type.String()),
  attributes: Type.Optional(Type.Record(Type.String(), Type.String())),
  createdAt: Type.Optional(Moment),
});

/** A conversation with what was said. */
export const ConversationContent = Type.Object(
  {
    conversation: Conversation,
    parts: Type.Array(ConversationPart),
    metadata: ConversationMetadata,
  },
  { $id: 'ConversationContent' },
);
export type ConversationContent = Static<typeof ConversationContent>;

/** What somebody wanted to know or had trouble with. */
export const ConversationIssue = Type.Object(
  {
    object: Type.Literal('conversation-issue'),
    id: Id,
    title: Type.String(),
    summary: Type.String(),
    method: Method,
    quotes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What people said that a model made it of, word for word; absent where it is made of their sentences itself. An extension.',
      }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'Of the conversation.' }),
    ingestedAt: Type.String({ format: 'date-time', description: 'When the conversation came last.' }),
    conversation: Id,
    cluster: Type.Optional(
      Type.String({ description: 'Absent while no other issue resembles it, or before that is known.' }),
    ),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'ConversationIssue' },
);
export type ConversationIssue = Static<typeof ConversationIssue>;

export const IssueWithConversation = Type.Object(
  { issue: ConversationIssue, conversation: Conversation },
  { $id: 'IssueWithConversation' },
);

/** Issues that are about the same. */
export const IssuesCluster = Type.Object(
  {
    object: Type.Literal('issues-cluster'),
    id: Id,
    label: Type.String(),
    summary: Type.String(),
    icon: Type.String({ maxLength: 50, description: 'The name of an icon.' }),
    method: Method,
    createdAt: Type.String({ format: 'date-time', description: 'Of its first issue.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'Of its latest issue.' }),
    weeklyPulse: Type.Array(Type.Integer(), {
      minItems: 13,
      maxItems: 13,
      description: 'Its issues in each of the past 13 weeks, the oldest first; the last one ends now.',
    }),
    sources: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many of its issues each source has.',
    }),
    stats: Type.Object({
      issues: Type.Integer(),
      conversations: Type.Integer(),
      tasksTotal: Type.Integer({
        description: 'Always 0, like the further counts of tasks: there are none.',
      }),
      tasksBacklog: Type.Integer(),
      tasksStarted: Type.Integer(),
      tasksCompleted: Type.Integer(),
      tasksCancelled: Type.Integer(),
    }),
    urls: Type.Object({ location: Url, app: Url }),
  },
  { $id: 'IssuesCluster' },
);
export type IssuesCluster = Static<typeof IssuesCluster>;

/** A page that says most of what a cluster is about. */
export const NearestPage = Type.Object(
  {
    space: Type.Object({ id: Id, title: Type.String() }),
    page: Type.Object({ id: Id, title: Type.String(), path: Type.String() }),
    section: Type.Object(
      {
        title: Type.Optional(Type.String({ description: 'Its heading; absent before the first one.' })),
        text: Type.String({ description: 'Its beginning, without markup.' }),
      },
      { description: 'The section of the page that says most.' },
    ),
    links: Type.Object({
      total: Type.Integer(),
      broken: Type.Integer({ description: 'Read them with `listPageLinks`.' }),
    }),
    urls: Type.Object({ app: Url }),
  },
  { $id: 'NearestPage' },
);
export type NearestPage = Static<typeof NearestPage>;
