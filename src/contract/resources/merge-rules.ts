import Type, { type Static } from 'typebox';
import { Id } from '../scalars.ts';

/** Who has to agree before a change request is merged. */
export const MergeRules = Type.Object(
  {
    type: Type.Enum(['inherit', 'rules'], { type: 'string' }),
    rules: Type.Optional(
      Type.Array(Type.Object({ rule: Type.String(), users: Type.Optional(Type.Array(Id)) })),
    ),
  },
  { $id: 'MergeRules' },
);
export type MergeRules = Static<typeof MergeRules>;
