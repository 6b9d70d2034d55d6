import Type, { type Static } from 'typebox';

/** Whether the caller may merge a change request now, and each reason why not. */
export const MergeStatus = Type.Object(
  {
    object: Type.Literal('merge-status'),
    mergeable: Type.Boolean(),
    rules: Type.Array(
      Type.Object({
        rule: Type.String(),
        met: Type.Boolean(),
        message: Type.String({ description: 'What the rule requires, or what is missing, in one sentence.' }),
      }),
    ),
    rulesOf: Type.Enum(['space', 'organization'], { type: 'string', description: 'Whose rules they are.' }),
    bypassed: Type.Boolean({ description: 'Whether `allow_bypass` names the caller.' }),
    conflicts: Type.Integer({
      minimum: 0,
      description: 'How many files the space and the change request both changed.',
    }),
    blockers: Type.Array(
      Type.Object({
        kind: Type.Enum(['merged', 'archived', 'role', 'locked', 'empty', 'conflict', 'rule'], {
          type: 'string',
        }),
        message: Type.String(),
      }),
      { description: 'Every reason why the caller cannot merge it now; none where it is mergeable.' },
    ),
  },
  { $id: 'MergeStatus' },
);
export type MergeStatus = Static<typeof MergeStatus>;
