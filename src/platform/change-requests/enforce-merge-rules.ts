import type { MergeRules } from '../../contract/index.ts';
import { type ChangeRequestRow, type Db, loadOrganization, type SpaceRow } from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

/** A change request that somebody is about to merge. */
interface Merge {
  readonly row: ChangeRequestRow;
  readonly userId: string;
}

type FindObjection = (merge: Merge, rule: Rule) => string | null;

const namedReviewer: FindObjection = ({ userId }, { users = [] }) =>
  users.includes(userId) ? null : 'only the reviewers that they name may merge it';
const otherThanAuthor: FindObjection = ({ row, userId }) =>
  row.createdBy === userId ? 'somebody other than its author has to merge it' : null;
const subject: FindObjection = ({ row }) => (row.subject.trim() === '' ? 'it needs a subject first' : null);

/** Why each rule forbids a merge; null if it does not. Merging counts as approval by whoever merges. */
const objections: Readonly<Record<string, FindObjection>> = {
  require_specific_reviewers: namedReviewer,
  require_one_of_specific_reviewers: namedReviewer,
  require_any_review: otherThanAuthor,
  require_at_least_one_review: otherThanAuthor,
  require_subject: subject,
  require_change_request_subject: subject,
  allow_bypass: () => null,
};

/**
 * Checks a merge against the rules of its space, or of its organization if the space has none of its own. A rule that is
 * unknown here allows no merge: it was set to prevent something.
 *
 * @throws {ApiError} 403 that says which rule, and what it requires
 */
export async function enforceMergeRules(db: Db, space: SpaceRow, merge: Merge): Promise<void> {
  const own = space.mergeRules as MergeRules | null;
  const organization = own === null ? await loadOrganization(db, space.organizationId) : null;
  const rules = own ?? (organization?.mergeRules as MergeRules | null | undefined) ?? null;
  const owner = own === null ? 'organization' : 'space';
  const list = rules?.rules ?? [];
  const isBypassed = ({ rule, users = [] }: Rule) => rule === 'allow_bypass' && users.includes(merge.userId);
  if (list.some(isBypassed)) return;
  for (const rule of list) {
    const findObjection = Object.hasOwn(objections, rule.rule) ? objections[rule.rule] : undefined;
    const objection =
      findObjection === undefined
        ? 'nobody may merge it, as this rule is unknown here'
        : findObjection(merge, rule);
    if (objection === null) continue;
    throw new ApiError(
      'merge-rules-unmet',
      `Change request ${merge.row.number} is not merged: the merge rules of its ${owner} have ${rule.rule}, so ${objection}.`,
    );
  }
}
