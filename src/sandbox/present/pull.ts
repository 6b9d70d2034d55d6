import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { listChanges } from '../git/read-changes.ts';
import { countCommits, findMergeBase } from '../git/read-commits.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { PullRecord, RepositoryRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';
import { presentRepository, repositoryUrls } from './repository.ts';

function presentSide(context: ForgeContext, repository: RepositoryRecord, ref: string, sha: string) {
  const owner = accountById(context.data, repository.ownerId);
  return {
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: presentAccount(context, owner),
    repo: {
      ...presentRepository(context, repository),
      allow_squash_merge: false,
      allow_merge_commit: true,
      allow_rebase_merge: false,
      allow_auto_merge: false,
      delete_branch_on_merge: false,
      allow_update_branch: false,
      use_squash_pr_title_as_default: false,
      squash_merge_commit_message: 'COMMIT_MESSAGES',
      squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
      merge_commit_message: 'PR_TITLE',
      merge_commit_title: 'MERGE_MESSAGE',
    },
  };
}

/** GitHub's `pull-request-simple`, as in lists. */
export function presentPull(context: ForgeContext, pull: PullRecord) {
  const base = repositoryById(context.data, pull.repositoryId);
  const head = repositoryById(context.data, pull.headRepositoryId);
  const { html, api } = repositoryUrls(context, base);
  const author = accountById(context.data, pull.authorId);
  const url = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const page = `${html}/pull/${pull.number}`;
  const links = {
    self: url,
    html: page,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${api}/statuses/${pull.headSha}`,
  };
  return {
    url,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: presentAccount(context, author),
    body: pull.body,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pull.draft,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    head: presentSide(context, head, pull.headRef, pull.headSha),
    base: presentSide(context, base, pull.baseRef, pull.baseSha),
    _links: Object.fromEntries(Object.entries(links).map(([key, href]) => [key, { href }])),
    author_association: pull.authorId === base.ownerId ? 'OWNER' : 'CONTRIBUTOR',
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** GitHub's `pull-request`: one pull request with its merge state and counts. */
export async function presentFullPull(context: ForgeContext, pull: PullRecord) {
  const gitDir = gitDirOf(context, pull.repositoryId);
  const base = (await findMergeBase(gitDir, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  const [changes, commits] = await Promise.all([
    listChanges(gitDir, base, pull.headSha),
    countCommits(gitDir, { include: [pull.headSha], exclude: [pull.baseSha] }),
  ]);
  const open = pull.state === 'open';
  const clean = pull.mergeSha !== null;
  return {
    ...presentPull(context, pull),
    merged: pull.mergedAt !== null,
    mergeable: open ? clean : null,
    rebaseable: open ? clean : null,
    mergeable_state: open ? (clean ? 'clean' : 'dirty') : 'unknown',
    merged_by:
      pull.mergedById === null ? null : presentAccount(context, accountById(context.data, pull.mergedById)),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: pull.maintainerCanModify ?? false,
    commits,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
    changed_files: changes.length,
  };
}
