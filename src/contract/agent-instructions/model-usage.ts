import Type, { type Static } from 'typebox';
import { Moment } from '../scalars.ts';

const Used = Type.Object({
  tokens: Type.Integer({ description: 'Of requests that are under way, the most that they may use.' }),
  calls: Type.Integer(),
});

/** What an organization used of the language model today. */
export const ModelUsage = Type.Object(
  {
    object: Type.Literal('model-usage'),
    model: Type.Optional(Type.String({ description: 'Its name; absent where no model is set up.' })),
    answers: Used,
    conversations: Used,
    translations: Used,
    total: Used,
    server: Type.Object(
      {
        tokens: Type.Integer(),
        limit: Type.Integer({ description: 'See `OPENAI_TOKENS_PER_DAY`; 0 where no model is set up.' }),
      },
      { description: 'What all organizations of this server used together, of how much.' },
    ),
    resetsAt: Type.Unsafe<string>({ ...Moment, description: 'When the next day begins, in UTC.' }),
  },
  { $id: 'ModelUsage' },
);
export type ModelUsage = Static<typeof ModelUsage>;
