import Type, { type Static } from 'typebox';
import { Formed, Id } from '../scalars.ts';

/**
 * The conditions for merging a change request, each with the name that the published client has for it, too:
 * `require_specific_reviewers` or `require_one_of_specific_reviewers` (one of `users` merges it), `require_any_review` or
 * `require_at_least_one_review` (somebody does who neither created it nor changed its content), `require_subject` or
 * `require_change_request_subject`, and `allow_bypass` (for `users` the others do not count). With any other rule nothing
 * is merged.
 */
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

/** Merge rules as callers send them; `none` is an empty list of rules. */
export const MergeRulesInput = Type.Union([
  Type.Object({ type: Type.Literal('inherit') }, { additionalProperties: false }),
  Type.Object({ type: Type.Literal('none') }, { additionalProperties: false }),
  Type.Object(
    {
      type: Type.Literal('rules'),
      rules: Type.Array(
        Type.Object(
          {
            rule: Formed(
              '^[a-z][a-z0-9_]{0,63}$',
              'must be the name of a rule, in small letters, for example require_any_review',
            ),
            users: Type.Optional(Type.Array(Id, { maxItems: 100 })),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20 },
      ),
    },
    { additionalProperties: false },
  ),
]);
export type MergeRulesInput = Static<typeof MergeRulesInput>;
