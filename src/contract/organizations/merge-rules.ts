import Type, { type Static } from 'typebox';
import { Formed, Id } from '../scalars.ts';

/** The condition of a `custom` rule: an expression of the language that pages have, over what the rule may know. */
const Condition = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'Of `custom`: an expression over `changeRequest` (`number`, `subject`, `description`, `status`, `outdated`, `createdBy`, `contributors`), `reviews` (`approvedBy`, `changesRequestedBy`, `requested`: lists of ids) and `user.id`, whoever merges. It has to be `true`.',
});

/**
 * The conditions for merging a change request, each with the name that the published client has for it, too:
 * `require_specific_reviewers` (all of `users` approve it), `require_one_of_specific_reviewers` (one of them does),
 * `require_any_review` or `require_at_least_one_review` (somebody does who neither created it nor changed its content),
 * `require_all_reviews_approved` (nobody requested changes, and all requested reviews are done), `require_subject` or
 * `require_change_request_subject`, `require_change_request_description`, `require_up_to_date_change_request`, `custom`
 * (`expression` is true), and `allow_bypass` (for `users` the others do not count). Only approvals of what it proposes now
 * count, by users who may review in the space; whoever merges approves by it, unless it is their own work. With any other
 * rule nothing is merged.
 */
export const MergeRules = Type.Object(
  {
    type: Type.Enum(['inherit', 'rules'], { type: 'string' }),
    rules: Type.Optional(
      Type.Array(
        Type.Object({
          rule: Type.String(),
          users: Type.Optional(Type.Array(Id)),
          expression: Type.Optional(Condition),
        }),
      ),
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
            expression: Type.Optional(Condition),
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
