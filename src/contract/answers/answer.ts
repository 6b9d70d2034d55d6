import Type, { type Static } from 'typebox';
import { Document } from '../content/document.ts';
import { Id, Url } from '../scalars.ts';

/** Of a question, in characters. */
export const MAX_QUESTION = 512;

/** A part of a page that an answer shows or cites. */
export const AnswerPassage = Type.Object({
  id: Type.String({
    description:
      'The anchor of its heading, in the page’s own format; the page’s id for the part before the first heading.',
  }),
  title: Type.String({ description: 'Its heading; that of the page for the part before the first heading.' }),
  path: Type.String({ description: 'The page’s path, with the anchor as fragment.' }),
  text: Type.String({ description: 'What the page says there, word for word and without markup.' }),
  urls: Type.Object({ app: Url }),
});

export const AnswerSource = Type.Object(
  {
    type: Type.Literal('page'),
    reason: Type.String({ description: 'Why it is a source, in one sentence.' }),
    page: Id,
    revision: Id,
    space: Id,
    sections: Type.Array(Type.String(), { description: 'The ids of `passages`.' }),
    title: Type.String({ description: 'The title of the page. An extension.' }),
    passages: Type.Array(AnswerPassage, { description: 'The parts of the page. An extension.' }),
  },
  { $id: 'AnswerSource' },
);
export type AnswerSource = Static<typeof AnswerSource>;

const AnswerText = Type.Union([
  Type.Object({ document: Document }),
  Type.Object({ markdown: Type.String() }),
]);

export const AskAnswer = Type.Object(
  {
    answer: Type.Optional(AnswerText),
    followupQuestions: Type.Array(Type.String(), {
      description: 'Always empty: what the pages answer cannot be told before it is asked.',
    }),
    sources: Type.Array(AnswerSource, { description: 'The best first; none where the pages do not answer.' }),
    madeBy: Type.Enum(['sections', 'model', 'nothing'], {
      type: 'string',
      description:
        'What made the answer. `sections`: the best sections of the pages, word for word. `model`: a language model composed it from such sections, and each of its sentences cites one. `nothing`: the pages do not answer the question, and `answer` says so. An extension.',
    }),
  },
  { $id: 'AskAnswer' },
);
export type AskAnswer = Static<typeof AskAnswer>;

/** A question that the pages answer. */
export const RecommendedQuestion = Type.Object({ question: Type.String() }, { $id: 'RecommendedQuestion' });
export type RecommendedQuestion = Static<typeof RecommendedQuestion>;

export const AnswerEvent = Type.Object(
  { type: Type.Literal('answer'), answer: AskAnswer },
  { $id: 'AnswerEvent' },
);
export type AnswerEvent = Static<typeof AnswerEvent>;
