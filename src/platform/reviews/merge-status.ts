import type { MergeStatus } from '../../contract/index.ts';
import { allows, spaceRights } from '../access/roles.ts';
import {
  isBypassed,
  loadMergeRules,
  loadMerges,
  objectionOf,
  requirementOf,
} from '../change-requests/enforce-merge-rules.ts';
import type { LocatedChangeRequest } from '../change-requests/locate-change-request.ts';
import { loadMergeSides } from '../change-requests/merge-change-request.ts';
import type { PlatformDeps } from '../deps.ts';

type Blocker = MergeStatus['blockers'][number];

/** Whether somebody may merge a change request now, and each reason why not. */
export async function readMergeStatus(
  deps: PlatformDeps,
  userId: string,
  { space, effectiveRole, changeRequest: { row } }: LocatedChangeRequest,
): Promise<MergeStatus> {
  const inForce = await loadMergeRules(deps.db, space);
  const mergeOf = await loadMerges(deps.db, space, inForce, { rows: [row], userId });
  const merge = mergeOf(row);
  const bypassed = isBypassed(inForce, userId);
  const rules = inForce.rules
    .filter(({ rule }) => rule !== 'allow_bypass')
    .map((rule) => {
      const objection = objectionOf(rule, merge);
      const message = objection === null ? requirementOf(rule, merge) : asSentence(objection);
      return { rule: rule.rule, met: objection === null, message };
    });
  const isDone = row.status === 'merged' || row.status === 'archived';
  const { conflicts } = isDone ? { conflicts: [] } : await loadMergeSides(deps, space, row);
  const blockers: Blocker[] = [];
  const block = (kind: Blocker['kind'], message: string) => blockers.push({ kind, message });
  if (row.status === 'merged') block('merged', 'It is merged.');
  else {
    if (row.status === 'archived') block('archived', 'It is archived; reopen it first.');
    if (!allows(effectiveRole, spaceRights.merge))
      block('role', `Merging takes the role ${spaceRights.merge}; yours is ${effectiveRole}.`);
    if (space.editMode === 'locked') block('locked', 'The space is locked, so nothing is merged.');
    if (row.revisionId === row.baseRevisionId) block('empty', 'It proposes no change.');
    if (conflicts.length > 0) {
      const files = conflicts.length === 1 ? '1 file' : `${conflicts.length} files`;
      block('conflict', `The space changed ${files} that it changes, too; decide about each.`);
    }
    if (!bypassed) for (const { met, message } of rules) if (!met) block('rule', message);
  }
  return {
    object: 'merge-status',
    mergeable: blockers.length === 0,
    rules,
    rulesOf: inForce.owner,
    bypassed,
    conflicts: conflicts.length,
    blockers,
  };
}

function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
