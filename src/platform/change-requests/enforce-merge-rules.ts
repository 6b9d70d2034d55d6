import { ExpressionError, evaluateExpression } from '../../content/expressions/index.ts';
import type { MergeRules } from '../../contract/index.ts';
import {
  type ChangeRequestRow,
  type Db,
  loadOrganization,
  loadUsers,
  type SpaceRow,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import { loadReviewFacts, noReviews, type ReviewFacts } from '../reviews/review-facts.ts';

export type MergeRule = NonNullable<MergeRules['rules']>[number];

/** A change request that somebody is about to merge. */
export interface Merge {
  readonly row: ChangeRequestRow;
  readonly userId: string;
  /** Whether the space has another content than the one it was compared with. */
  readonly isOutdated: boolean;
  readonly reviews: ReviewFacts;
  /** The names of users, for sentences. */
  readonly nameOf: (userId: string) => string;
}

type Objection = (merge: Merge, rule: MergeRule) => string | null;

/** Whoever merges approves by it, unless it is their own work. */
function approversOf({ row, userId, reviews }: Merge): ReadonlySet<string> {
  const isOwn = row.createdBy === userId || row.editors.includes(userId);
  const approved = reviews.approvedBy.map(({ id }) => id);
  return new Set(isOwn ? approved : [...approved, userId]);
}

const allOfNamed: Objection = (merge, { users = [] }) => {
  const approvers = approversOf(merge);
  const missing = users.filter((user) => !approvers.has(user));
  return missing.length === 0
    ? null
    : `${list(missing.map(merge.nameOf), 'and')} ${missing.length === 1 ? 'has' : 'have'} to approve it${staleNote(merge, missing)}`;
};
const oneOfNamed: Objection = (merge, { users = [] }) => {
  const approvers = approversOf(merge);
  return users.some((user) => approvers.has(user))
    ? null
    : `${list(users.map(merge.nameOf), 'or')} has to approve it${staleNote(merge, users)}`;
};
const anyReview: Objection = (merge) =>
  approversOf(merge).size > 0
    ? null
    : `somebody who neither created nor changed it has to approve it${staleNote(merge)}`;
const allReviews: Objection = (merge) => {
  const { changesRequestedBy, requested, staleApprovals } = merge.reviews;
  if (changesRequestedBy.length > 0)
    return `${list(names(changesRequestedBy), 'and')} requested changes and ${changesRequestedBy.length === 1 ? 'has' : 'have'} not approved it since`;
  if (requested.length > 0) return `the review of ${list(names(requested), 'and')} is not done`;
  const stale = staleApprovals.filter(({ id }) => id !== merge.userId);
  return stale.length === 0
    ? null
    : `${list(names(stale), 'and')} approved it before it was changed, and ${stale.length === 1 ? 'has' : 'have'} to approve it again`;
};
const subject: Objection = ({ row }) => (row.subject.trim() === '' ? 'it needs a subject first' : null);
const description: Objection = ({ row }) =>
  row.description.trim() === '' ? 'it needs a description first' : null;
const upToDate: Objection = ({ isOutdated }) =>
  isOutdated ? 'it has to be updated with what the space has now' : null;
const custom: Objection = (merge, { expression = '' }) => {
  try {
    return evaluateExpression(expression, scopeOf(merge)) === true
      ? null
      : `its condition ${expression} has to be true`;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return `nobody may merge it until its condition is mended: ${error.message}`;
  }
};

/** Why each rule forbids a merge; null if it does not. */
const objections: Readonly<Record<string, Objection>> = {
  require_specific_reviewers: allOfNamed,
  require_one_of_specific_reviewers: oneOfNamed,
  require_any_review: anyReview,
  require_at_least_one_review: anyReview,
  require_all_reviews_approved: allReviews,
  require_agent_review: () => 'nobody may merge it, as no agent reviews here; remove this rule',
  require_subject: subject,
  require_change_request_subject: subject,
  require_change_request_description: description,
  require_up_to_date_change_request: upToDate,
  custom,
  allow_bypass: () => null,
};

/** What a rule requires, in words, where it is met. */
const requirements: Readonly<Record<string, (merge: Merge, rule: MergeRule) => string>> = {
  require_specific_reviewers: ({ nameOf }, { users = [] }) =>
    `Approved by ${list(users.map(nameOf), 'and')}.`,
  require_one_of_specific_reviewers: ({ nameOf }, { users = [] }) =>
    `Approved by ${list(users.map(nameOf), 'or')}.`,
  require_any_review: () => 'Approved by somebody who neither created nor changed it.',
  require_at_least_one_review: () => 'Approved by somebody who neither created nor changed it.',
  require_all_reviews_approved: () => 'Nobody requested changes, and every requested review is done.',
  require_subject: () => 'It has a subject.',
  require_change_request_subject: () => 'It has a subject.',
  require_change_request_description: () => 'It has a description.',
  require_up_to_date_change_request: () => 'It is up to date with the space.',
  custom: (_merge, { expression = '' }) => `The condition ${expression} is true.`,
};

/** The merge rules that hold in a space: its own, or those of its organization if it has none. */
export interface MergeRulesInForce {
  readonly owner: 'space' | 'organization';
  readonly rules: readonly MergeRule[];
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

/** Loads what the rules need to know about these change requests of a space, if somebody merges them. */
export async function loadMerges(
  db: Db,
  space: SpaceRow,
  { rules }: MergeRulesInForce,
  { rows, userId }: { readonly rows: readonly ChangeRequestRow[]; readonly userId: string },
): Promise<(row: ChangeRequestRow) => Merge> {
  const needReviews = rules.some(({ rule }) => /review|custom/.test(rule));
  const facts = needReviews ? await loadReviewFacts(db, space, rows) : new Map<string, ReviewFacts>();
  const named = [...new Set(rules.flatMap(({ users = [] }) => users))];
  const users = named.length === 0 ? new Map() : await loadUsers(db, named);
  return (row) => ({
    row,
    userId,
    isOutdated: row.baseRevisionId !== space.revisionId,
    reviews: facts.get(row.id) ?? noReviews,
    nameOf: (id) => users.get(id)?.displayName ?? 'somebody who is gone',
  });
}

/** Whether one of the rules lets this user merge whatever the others say. */
export function isBypassed({ rules }: MergeRulesInForce, userId: string): boolean {
  return rules.some(({ rule, users = [] }) => rule === 'allow_bypass' && users.includes(userId));
}

/** Why a rule forbids a merge; null if it does not. A rule that is unknown here was set to prevent something. */
export function objectionOf(rule: MergeRule, merge: Merge): string | null {
  const find = Object.hasOwn(objections, rule.rule) ? objections[rule.rule] : undefined;
  return find === undefined ? 'nobody may merge it, as this rule is unknown here' : find(merge, rule);
}

/** What a rule requires that is met. */
export function requirementOf(rule: MergeRule, merge: Merge): string {
  const describe = Object.hasOwn(requirements, rule.rule) ? requirements[rule.rule] : undefined;
  return describe?.(merge, rule) ?? 'It is met.';
}

/** The first rule that forbids a merge, and why; null if none does. */
export function findObjection(
  inForce: MergeRulesInForce,
  merge: Merge,
): { readonly rule: string; readonly reason: string } | null {
  if (isBypassed(inForce, merge.userId)) return null;
  for (const rule of inForce.rules) {
    const reason = objectionOf(rule, merge);
    if (reason !== null) return { rule: rule.rule, reason };
  }
  return null;
}

/**
 * Checks a merge against the rules of its space, or of its organization if the space has none of its own.
 *
 * @throws {ApiError} 403 that says which rule, and what it requires
 */
export async function enforceMergeRules(
  db: Db,
  space: SpaceRow,
  { row, userId }: { readonly row: ChangeRequestRow; readonly userId: string },
): Promise<void> {
  const inForce = await loadMergeRules(db, space);
  const mergeOf = await loadMerges(db, space, inForce, { rows: [row], userId });
  const objection = findObjection(inForce, mergeOf(row));
  if (objection === null) return;
  throw new ApiError(
    'merge-rules-unmet',
    `Change request ${row.number} is not merged: the merge rules of its ${inForce.owner} have ${objection.rule}, so ${objection.reason}.`,
  );
}

/** The names that the expression of a `custom` rule may use. */
function scopeOf({ row, userId, isOutdated, reviews }: Merge) {
  const ids = (named: ReviewFacts['approvedBy']) => named.map(({ id }) => id);
  return {
    changeRequest: {
      number: row.number,
      subject: row.subject,
      description: row.description,
      status: row.status,
      outdated: isOutdated,
      createdBy: row.createdBy,
      contributors: row.editors,
    },
    reviews: {
      approvedBy: ids(reviews.approvedBy),
      changesRequestedBy: ids(reviews.changesRequestedBy),
      requested: ids(reviews.requested),
    },
    user: { id: userId },
  };
}

/** Why an expression cannot be that of a rule; null where it can. */
export function problemOfCondition(expression: string): string | null {
  try {
    evaluateExpression(
      expression,
      scopeOf({ row: sampleRow, userId: '', isOutdated: false, reviews: noReviews, nameOf: () => '' }),
    );
    return null;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

const sampleRow = {
  number: 1,
  subject: '',
  description: '',
  status: 'open',
  createdBy: '',
  editors: [] as string[],
} as ChangeRequestRow;

function staleNote({ reviews }: Merge, users?: readonly string[]): string {
  const stale = reviews.staleApprovals.filter(({ id }) => users === undefined || users.includes(id));
  return stale.length === 0
    ? ''
    : `; ${list(names(stale), 'and')} approved what it was before its last change`;
}

const names = (named: ReviewFacts['approvedBy']) => named.map(({ name }) => name);

function list(parts: readonly string[], word: 'and' | 'or'): string {
  return new Intl.ListFormat('en', { type: word === 'and' ? 'conjunction' : 'disjunction' }).format(parts);
}
