import type { MergeRules } from '../../contract/index.ts';
import { type ChangeRequestRow, type Db, loadOrganization, type SpaceRow } from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

/** A change request that somebody is about to merge. */
interface Merge {
  readonly row: ChangeRequestRow;
  readonly userId: string;
}

type Objection = (merge: Merge, rule: Rule) => string | null;

const namedReviewer: Objection = ({ userId }, { users = [] }) =>
  users.includes(userId) ? null : 'only the reviewers that they name may merge it';
const otherThanAuthors: Objection = ({ row, userId }) => {
  if (row.createdBy === userId) return 'somebody other than its author has to merge it';
  return row.editors.includes(userId) ? 'somebody who changed nothing in it has to merge it' : null;
};
const subject: Objection = ({ row }) => (row.subject.trim() === '' ? 'it needs a subject first' : null);

/** Why each rule forbids a merge; null if it does not. Merging counts as approval by whoever merges. */
const objections: Readonly<Record<string, Objection>> = {
  require_specific_reviewers: namedReviewer,
  require_one_of_specific_reviewers: namedReviewer,
  require_any_review: otherThanAuthors,
  require_at_least_one_review: otherThanAuthors,
  require_subject: subject,
  require_change_request_subject: subject,
  allow_bypass: () => null,
};

/** The merge rules that hold in a space: its own, or those of its organization if it has none. */
export interface MergeRulesInForce {
  readonly owner: 'space' | 'organization';
  readonly rules: readonly Rule[];
}

export async function loadMergeRules(
  db: Db,
  space: Pick<SpaceRow, 'mergeRules' | 'organizationId'>,
): Promise<MergeRulesInForce> {
  const own = space.mergeRules as MergeRules | null;
  if (own !== null) return { owner: 'space', rules: own.rules ?? [] };
  const organization = await loadOrganization(db, space.organizationId);
  const inherited = (organization?.mergeRules as MergeRules | null | undefined) ?? null;
  return { owner: 'organization', rules: inherited?.rules ?? [] };
}

/** The first rule that forbids a merge, and why; null if none does. A rule that is unknown here was set to prevent something. */
export function findObjection(
  { rules }: MergeRulesInForce,
  merge: Merge,
): { readonly rule: string; readonly reason: string } | null {
  const isBypassed = ({ rule, users = [] }: Rule) => rule === 'allow_bypass' && users.includes(merge.userId);
  if (rules.some(isBypassed)) return null;
  for (const rule of rules) {
    const find = Object.hasOwn(objections, rule.rule) ? objections[rule.rule] : undefined;
    const reason =
      find === undefined ? 'nobody may merge it, as this rule is unknown here' : find(merge, rule);
    if (reason !== null) return { rule: rule.rule, reason };
  }
  return null;
}

/**
 * Checks a merge against the rules of its space, or of its organization if the space has none of its own.
 *
 * @throws {ApiError} 403 that says which rule, and what it requires
 */
export async function enforceMergeRules(db: Db, space: SpaceRow, merge: Merge): Promise<void> {
  const inForce = await loadMergeRules(db, space);
  const objection = findObjection(inForce, merge);
  if (objection === null) return;
  throw new ApiError(
    'merge-rules-unmet',
    `Change request ${merge.row.number} is not merged: the merge rules of its ${inForce.owner} have ${objection.rule}, so ${objection.reason}.`,
  );
}
