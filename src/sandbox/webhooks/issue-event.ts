import type { ForgeContext } from '../forge-context.ts';
import { presentIssue, presentIssueComment, presentPullIssue } from '../present/issue.ts';
import { repositoryById } from '../state/find-records.ts';
import type { AccountRecord, CommentRecord, IssueRecord, PullRecord } from '../state/records.ts';
import { emitRepositoryEvent } from './emit-event.ts';

export function emitIssueEvent(
  context: ForgeContext,
  issue: IssueRecord,
  action: 'opened' | 'edited' | 'labeled' | 'unlabeled' | 'deleted' | 'transferred',
  sender: AccountRecord,
): void {
  emitRepositoryEvent(context, {
    event: 'issues',
    action,
    repository: repositoryById(context.data, issue.repositoryId),
    sender,
    payload: { issue: presentIssue(context, issue) },
  });
}

export function emitCommentEvent(
  context: ForgeContext,
  issue: IssueRecord | PullRecord,
  comment: CommentRecord,
  action: 'created' | 'edited' | 'deleted',
  sender: AccountRecord,
): void {
  emitRepositoryEvent(context, {
    event: 'issue_comment',
    action,
    repository: repositoryById(context.data, issue.repositoryId),
    sender,
    payload: {
      issue: 'headSha' in issue ? presentPullIssue(context, issue) : presentIssue(context, issue),
      comment: presentIssueComment(context, issue, comment),
    },
  });
}
