import type { ForgeContext } from '../forge-context.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { CommentRecord, IssueRecord, PullRecord, RepositoryRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';
import { repositoryUrls } from './repository.ts';

const REACTIONS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'];

/** GitHub's `issue`. */
export function presentIssue(context: ForgeContext, issue: IssueRecord) {
  const repository = repositoryById(context.data, issue.repositoryId);
  const { html, api } = repositoryUrls(context, repository);
  const url = `${api}/issues/${issue.number}`;
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${html}/issues/${issue.number}`,
    id: issue.id,
    node_id: nodeId('Issue', issue.id),
    number: issue.number,
    title: issue.title,
    user: presentAccount(context, accountById(context.data, issue.authorId)),
    labels: presentLabels(context, repository, issue.labels ?? []),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: false,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: issue.comments?.length ?? 0,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: associationOf(repository, issue.authorId),
    body: issue.body,
    closed_by: null,
    performed_via_github_app: null,
    reactions: presentReactions(url),
    timeline_url: `${url}/timeline`,
  };
}

/** A pull request as GitHub shows it among issues. */
export function presentPullIssue(context: ForgeContext, pull: PullRecord) {
  const repository = repositoryById(context.data, pull.repositoryId);
  const { html, api } = repositoryUrls(context, repository);
  const page = `${html}/pull/${pull.number}`;
  return {
    ...presentIssue(context, { ...pull, stateReason: null }),
    html_url: page,
    pull_request: {
      url: `${api}/pulls/${pull.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: pull.mergedAt,
    },
  };
}

/** GitHub's `issue-comment`: on an issue, or in the conversation of a pull request. */
export function presentIssueComment(
  context: ForgeContext,
  issue: IssueRecord | PullRecord,
  comment: CommentRecord,
) {
  const repository = repositoryById(context.data, issue.repositoryId);
  const { html, api } = repositoryUrls(context, repository);
  const url = `${api}/issues/comments/${comment.id}`;
  const kind = 'headSha' in issue ? 'pull' : 'issues';
  return {
    url,
    html_url: `${html}/${kind}/${issue.number}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${issue.number}`,
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    user: presentAccount(context, accountById(context.data, comment.authorId)),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(repository, comment.authorId),
    body: comment.body,
    performed_via_github_app: null,
    reactions: presentReactions(url),
  };
}

export function presentLabels(context: ForgeContext, repository: RepositoryRecord, names: readonly string[]) {
  const { api } = repositoryUrls(context, repository);
  return names.map((name, at) => ({
    id: repository.id * 1_000 + at,
    node_id: nodeId('Label', name),
    url: `${api}/labels/${encodeURIComponent(name)}`,
    name,
    color: 'ededed',
    default: false,
    description: null,
  }));
}

/** GitHub's word for what an author is to a repository. */
export function associationOf({ ownerId, collaboratorIds }: RepositoryRecord, authorId: number) {
  if (authorId === ownerId) return 'OWNER';
  return collaboratorIds.includes(authorId) ? 'COLLABORATOR' : 'NONE';
}

function presentReactions(url: string) {
  return {
    url: `${url}/reactions`,
    total_count: 0,
    ...Object.fromEntries(REACTIONS.map((text) => [text, 0])),
  };
}
