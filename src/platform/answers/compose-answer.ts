import Type from 'typebox';
import { checkSentences } from '../models/check-sentences.ts';
import type { GuidedModel } from '../models/find-model.ts';
import type { ModelRequest } from '../models/open-model.ts';
import { withGuidance } from '../models/read-guidance.ts';
import type { Passage } from './answer-question.ts';

/** What a model answers: sentences, each with the numbers of the sections that say it. */
const Composed = Type.Object(
  {
    answered: Type.Boolean({ description: 'Whether the sections answer the question.' }),
    sentences: Type.Array(
      Type.Object(
        {
          text: Type.String({ minLength: 1, maxLength: 600, description: 'One sentence of plain text.' }),
          sections: Type.Array(Type.Integer({ minimum: 1, maximum: 20 }), { minItems: 1, maxItems: 3 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 8 },
    ),
  },
  { additionalProperties: false },
);

const INSTRUCTIONS = [
  'Answer the question from the numbered sections of a documentation, and from nothing else that you know.',
  'Write few, short sentences, in the language of the question. After each one, name the sections that say it; use the words of those sections. Write no links, no addresses and no markup.',
  'If the sections do not answer the question, answer with "answered": false and no sentences.',
].join('\n');

/** A sentence of an answer, with the places of the passages that it cites. */
export interface CitedSentence {
  readonly text: string;
  readonly cites: readonly number[];
}

/**
 * An answer that a model composed from passages, each sentence of which cites one that says it. Null when it has none, or
 * says anything that they do not.
 *
 * @throws {ModelRefusal} as the model does
 */
export async function composeAnswer(
  { model, organizationId, guidance }: GuidedModel,
  {
    question,
    passages,
    ...options
  }: { readonly question: string; readonly passages: readonly Passage[] } & Pick<
    ModelRequest<never>,
    'leavesShare' | 'signal'
  >,
): Promise<readonly CitedSentence[] | null> {
  const { answered, sentences } = await model.complete({
    organizationId,
    purpose: 'answers',
    instructions: withGuidance(INSTRUCTIONS, guidance),
    data: {
      question,
      sections: passages.map(({ title, heading, text }, at) => ({
        number: at + 1,
        page: title,
        heading,
        text,
      })),
    },
    answer: Composed,
    maxTokens: 800,
    ...options,
  });
  if (!answered || sentences.length === 0) return null;
  const cited = sentences.map(({ text, sections }) => ({
    text,
    cites: [...new Set(sections)].map((number) => number - 1),
  }));
  return checkSentences(
    cited,
    passages.map(({ title, heading, text }) => `${title}\n${heading ?? ''}\n${text}`),
  )
    ? cited
    : null;
}
