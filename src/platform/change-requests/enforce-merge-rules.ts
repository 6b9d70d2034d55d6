import type { MergeRules } from '../../contract/index.ts';
import { type ChangeRequestRow, type Db, loadOrganization, type SpaceRow } from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

/** A change request that somebody is about to merge. */
interface Merge {
  readonly row: ChangeRequestRow;
  readonly userId: string;
}

/** Why each rule forbids a merge; null where it does not. Whoever merges approves by that. */
const objections: Readonly<Record<string, (merge: Merge, rule: Rule) => string | null>> = {
  require_specific_reviewers: ({ userId }, { users = [] }) =>
    users.includes(userId) ? null : 'only the reviewers that they name may merge it',
  require_any_review: ({ row, userId }) =>
    row.createdBy === userId ? 'somebody else than its author has to merge it' : null,
  require_subject: ({ row }) => (row.subject.trim() === '' ? 'it needs a subject first' : null),
};

/**
 * Checks a merge against the rules of its space, which are the organization's where it has none of its own. A rule that
 * is not known here allows no merge: it was set to prevent something.
 *
 * @throws {ApiError} 403 that says which rule, and what it requires
 */
export async function enforceMergeRules(db: Db, space: SpaceRow, merge: Merge): Promise<void> {
  const own = space.mergeRules as MergeRules | null;
  const organization = own === null ? await loadOrganization(db, space.organizationId) : null;
  const rules = own ?? (organization?.mergeRules as MergeRules | null | undefined) ?? null;
  const whose = own === null ? 'organization' : 'space';
  for (const rule of rules?.rules ?? []) {
    const object = Object.hasOwn(objections, rule.rule) ? objections[rule.rule] : undefined;
    const why =
      object === undefined ? 'nobody may merge by it, as it is not known here' : object(merge, rule);
    if (why === null) continue;
    throw new ApiError(
      'merge-rules-unmet',
      `Change request ${merge.row.number} is not merged: the merge rules of its ${whose} have ${rule.rule}, so ${why}.`,
    );
  }
}
