import Type, { type Static } from 'typebox';
import { Document } from '../content/document.ts';
import { Id, Moment } from '../scalars.ts';

const Use = Type.Object({
  used: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Why they are not used.' })),
});

/** What an organization tells the model that answers, translates and reads conversations for it. */
export const AgentInstructions = Type.Object(
  {
    object: Type.Literal('agent-instructions'),
    instructions: Document,
    updatedAt: Type.String({
      format: 'date-time',
      description: 'Before anybody wrote any: when the organization was created.',
    }),
    updatedBy: Type.String({ description: 'The id of the user who did; empty before anybody wrote any.' }),
    version: Type.Integer({ description: 'Counts up; 0 before anybody wrote any. An extension.' }),
    use: Type.Object(
      {
        used: Type.Boolean({ description: 'Whether anything of the following uses them.' }),
        reason: Type.Optional(Type.String({ description: 'Why nothing does.' })),
        answers: Use,
        issues: Use,
        translations: Use,
      },
      {
        description:
          'What uses them now: answers to questions, the issues and clusters of conversations, translations. An extension.',
      },
    ),
    urls: Type.Object({ location: Type.String({ description: 'Relative to the API.' }) }),
  },
  { $id: 'AgentInstructions' },
);
export type AgentInstructions = Static<typeof AgentInstructions>;

/** Instructions as they were. */
export const AgentInstructionsVersion = Type.Object(
  {
    object: Type.Literal('agent-instructions-version'),
    id: Id,
    version: Type.Integer(),
    instructions: Document,
    createdAt: Moment,
    createdBy: Type.String({ description: 'The id of the user who wrote it.' }),
  },
  { $id: 'AgentInstructionsVersion' },
);
export type AgentInstructionsVersion = Static<typeof AgentInstructionsVersion>;
