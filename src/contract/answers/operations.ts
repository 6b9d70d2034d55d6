import Type from 'typebox';
import { defineOperation, EventsOf } from '../operation.ts';
import { AnswerEvent, AskAnswer, MAX_QUESTION, RecommendedQuestion } from './answer.ts';

const Question = Type.String({
  minLength: 1,
  maxLength: MAX_QUESTION,
  description: 'A question, in words; or only what it is about.',
});

const format = {
  format: Type.Optional(
    Type.Enum(['document', 'markdown'], {
      type: 'string',
      default: 'document',
      description: 'Whether the text of the answer is nodes in `document`, or in `markdown`.',
    }),
  ),
};

const details = {
  details: Type.Optional(
    Type.Boolean({ description: 'Changes nothing: answers always have their details.' }),
  ),
};

const AskQuery = Type.Object({ ...format, ...details }, { additionalProperties: false });
const StreamQuery = Type.Object({ query: Question, ...format, ...details }, { additionalProperties: false });

const AskBody = Type.Object(
  {
    query: Question,
    previousQueries: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_QUESTION }), {
        maxItems: 10,
        description: 'Accepted, and not used: each question is answered by itself.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Answered = Type.Object({ answer: AskAnswer });

const SiteSpaceId = Type.String({ minLength: 1, maxLength: 64 });
const Scope = Type.Union([
  Type.Object(
    {
      mode: Type.Literal('default', { description: 'Every section in its default version.' }),
      currentSiteSpace: Type.Optional(SiteSpaceId),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      mode: Type.Literal('specific', { description: 'Only the site spaces that are named.' }),
      siteSpaceIds: Type.Array(SiteSpaceId, { minItems: 1, maxItems: 100 }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { mode: Type.Literal('all', { description: 'All sections in all versions.' }) },
    { additionalProperties: false },
  ),
]);

const rules =
  'Without a language model, the answer is the best sections of the pages, word for word and with their anchors. With one (`OPENAI_URL`), it is composed from those sections only, and each sentence cites one that it was given; an answer of the model that does not is not shown, and the sections are. Where nothing in the pages says enough of what the question says, the answer is that they do not answer it. `madeBy` says which of these it is. A question that the pages do not answer becomes a conversation of the organization, redacted. Only pages that the caller may read are used, and none that is hidden or has `noIndex`.';

const events =
  ' The answer is sent as server-sent events, each with all of the answer so far: the sections first, then what a model composed.';

const recommended =
  'At most five: headings of the pages, as they stand there, whose answer has their own page; those that are questions first, then those of the pages that readers found helpful most often. A language model has no part in it, and what people asked is not shown.';

export const answerOperations = {
  listRecommendedQuestions: defineOperation({
    id: 'getRecommendedQuestionsInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/ask/questions',
    tag: 'Answers',
    summary: 'List questions that the pages of an organization answer, of spaces that the caller may see.',
    description: recommended,
    extension: true,
    responses: { 200: Type.Object({ questions: Type.Array(Type.String()) }) },
  }),

  streamRecommendedQuestions: defineOperation({
    id: 'streamRecommendedQuestionsInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/ask/questions/stream',
    tag: 'Answers',
    summary: 'List questions that the pages of an organization answer, as events.',
    description: recommended,
    extension: true,
    responses: { 200: EventsOf(RecommendedQuestion) },
  }),

  streamRecommendedQuestionsOfSite: defineOperation({
    id: 'streamRecommendedQuestionsInSite',
    method: 'GET',
    path: '/orgs/:organizationId/sites/:siteId/ask/questions',
    tag: 'Answers',
    summary: 'List questions that the spaces of a site answer that the caller may see, as events.',
    description: recommended,
    extension: true,
    query: Type.Object(
      {
        siteSpaceId: Type.Optional(SiteSpaceId),
        spaceId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Only those of this space.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: EventsOf(RecommendedQuestion) },
    errors: ['role-too-low'],
  }),

  askSpace: defineOperation({
    id: 'askInSpace',
    method: 'POST',
    path: '/spaces/:spaceId/ask',
    tag: 'Answers',
    summary: 'Answer a question from the pages of a space.',
    description: rules,
    extension: true,
    query: AskQuery,
    body: AskBody,
    responses: { 200: Answered },
    errors: ['role-too-low'],
  }),

  streamAskSpace: defineOperation({
    id: 'streamAskInSpace',
    method: 'GET',
    path: '/spaces/:spaceId/ask/stream',
    tag: 'Answers',
    summary: 'Answer a question from the pages of a space, as events.',
    description: rules + events,
    extension: true,
    query: StreamQuery,
    responses: { 200: EventsOf(AnswerEvent) },
    errors: ['role-too-low'],
  }),

  askOrganization: defineOperation({
    id: 'askInOrganization',
    method: 'POST',
    path: '/orgs/:organizationId/ask',
    tag: 'Answers',
    summary: 'Answer a question from all spaces of an organization that the caller may see.',
    description: rules,
    extension: true,
    query: AskQuery,
    body: AskBody,
    responses: { 200: Answered },
  }),

  streamAskOrganization: defineOperation({
    id: 'streamAskInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/ask/stream',
    tag: 'Answers',
    summary: 'Answer a question from all spaces of an organization that the caller may see, as events.',
    description: rules + events,
    extension: true,
    query: StreamQuery,
    responses: { 200: EventsOf(AnswerEvent) },
  }),

  streamAskSite: defineOperation({
    id: 'streamAskInSite',
    method: 'POST',
    path: '/orgs/:organizationId/sites/:siteId/ask',
    tag: 'Answers',
    summary: 'Answer a question from the spaces of a site that the caller may see, as events.',
    description: `${rules}${events} Readers of the site ask in its search, where what is for some visitors only counts, too.`,
    extension: true,
    query: Type.Object(format, { additionalProperties: false }),
    body: Type.Object(
      {
        question: Question,
        context: Type.Optional(
          Type.Object(
            { siteSpaceId: Type.Optional(SiteSpaceId) },
            {
              additionalProperties: false,
              description: 'Where it is asked: with the scope `default`, that version of its section.',
            },
          ),
        ),
        scope: Scope,
      },
      { additionalProperties: false },
    ),
    responses: { 200: EventsOf(AnswerEvent) },
    errors: ['role-too-low'],
  }),
} as const;
