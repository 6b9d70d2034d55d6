import type { ForgeContext } from '../forge-context.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { ReviewCommentRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';
import { associationOf } from './issue.ts';
import { repositoryUrls } from './repository.ts';

/** GitHub's `pull-request-review-comment`. */
export function presentReviewComment(context: ForgeContext, comment: ReviewCommentRecord) {
  const repository = repositoryById(context.data, comment.repositoryId);
  const { html, api } = repositoryUrls(context, repository);
  const url = `${api}/pulls/comments/${comment.id}`;
  const page = `${html}/pull/${comment.pullNumber}#discussion_r${comment.id}`;
  const pullUrl = `${api}/pulls/${comment.pullNumber}`;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId('PullRequestReviewComment', comment.id),
    diff_hunk: '',
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    user: presentAccount(context, accountById(context.data, comment.authorId)),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pullUrl,
    author_association: associationOf(repository, comment.authorId),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
    line: comment.line,
    original_line: comment.line,
    start_line: null,
    original_start_line: null,
    start_side: null,
    side: 'RIGHT',
    subject_type: comment.line === null ? 'file' : 'line',
    ...(comment.replyTo === null ? {} : { in_reply_to_id: comment.replyTo }),
  };
}
