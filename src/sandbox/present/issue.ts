import type { ForgeContext } from '../forge-context.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { IssueRecord } from '../state/records.ts';
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
    labels: [],
    state: issue.state,
    state_reason: issue.stateReason,
    locked: false,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: 0,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: issue.authorId === repository.ownerId ? 'OWNER' : 'CONTRIBUTOR',
    body: issue.body,
    closed_by: null,
    performed_via_github_app: null,
    reactions: {
      url: `${url}/reactions`,
      total_count: 0,
      ...Object.fromEntries(REACTIONS.map((text) => [text, 0])),
    },
    timeline_url: `${url}/timeline`,
  };
}
