import { type ForgeContext, timestamp } from '../forge-context.ts';
import { accountById, findIssue } from '../state/find-records.ts';
import type { IssueRecord, RepositoryRecord } from '../state/records.ts';
import { emitIssueEvent } from '../webhooks/issue-event.ts';

function requireIssue(context: ForgeContext, repository: RepositoryRecord, number: number): IssueRecord {
  const issue = findIssue(context.data, repository.id, number);
  if (!issue) throw new Error(`The sandbox has no issue ${number} of ${repository.name}.`);
  return issue;
}

/** Deletes an issue, as the owner of its repository. */
export function deleteIssue(context: ForgeContext, repository: RepositoryRecord, number: number): void {
  const issue = requireIssue(context, repository, number);
  context.data.issues = (context.data.issues ?? []).filter((candidate) => candidate !== issue);
  emitIssueEvent(context, issue, 'deleted', accountById(context.data, repository.ownerId));
}

/** Moves an issue to another repository, where it is opened under a new number. Returns that. */
export function transferIssue(
  context: ForgeContext,
  repository: RepositoryRecord,
  number: number,
  target: RepositoryRecord,
): number {
  const issue = requireIssue(context, repository, number);
  const moved: IssueRecord = {
    ...issue,
    id: context.nextId(),
    repositoryId: target.id,
    number: target.nextPullNumber,
    updatedAt: timestamp(context.now()),
  };
  target.nextPullNumber += 1;
  context.data.issues = (context.data.issues ?? []).map((candidate) =>
    candidate === issue ? moved : candidate,
  );
  context.data.movedIssues = [
    ...(context.data.movedIssues ?? []),
    { repositoryId: repository.id, number, issueId: moved.id },
  ];
  const owner = accountById(context.data, repository.ownerId);
  emitIssueEvent(context, issue, 'transferred', owner);
  emitIssueEvent(context, moved, 'opened', owner);
  return moved.number;
}
