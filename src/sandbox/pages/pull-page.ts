import { gitDirOf } from '../forge-context.ts';
import { listChanges } from '../git/read-changes.ts';
import { findMergeBase, listCommits } from '../git/read-commits.ts';
import { accountById, findPull, fullNameOf, repositoryById } from '../state/find-records.ts';
import type { CommentRecord, PullRecord } from '../state/records.ts';
import { checkReport } from './check-report.ts';
import { changeTable, commitTable } from './commit-table.ts';
import { frame, stateLabel } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import { pullState } from './overview-page.ts';
import { type PageResult, type RepositoryPageCall, trailOf } from './page.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Commits of a pull request that are shown, newest first; the API lists no more either. */
const MAX_COMMITS = 250;

/** The reviews of a pull request, with their comments on lines of the changes. */
function reviewList(context: RepositoryPageCall['context'], pull: PullRecord): SafeHtml | null {
  const reviews = (context.data.reviews ?? []).filter(
    (review) => review.repositoryId === pull.repositoryId && review.pullNumber === pull.number,
  );
  if (reviews.length === 0) return null;
  return safeHtml`<h2>Reviews</h2>${reviews.map(
    (
      review,
    ) => safeHtml`<section class="box run"><header><h3>${accountById(context.data, review.authorId).login} <span class="soft">· on <code>${review.commitId.slice(0, 7)}</code></span></h3></header>
<div class="inside">${review.body === '' ? null : renderMarkdown(review.body)}</div>
${review.comments.map(
  (comment) =>
    safeHtml`<section class="file"><h4><code>${comment.path}:${comment.line}</code></h4>${renderMarkdown(comment.body)}</section>`,
)}</section>`,
  )}`;
}

/** Single comments: on lines and files of the changes, each with its replies, and those of the conversation. */
function commentList(context: RepositoryPageCall['context'], pull: PullRecord): SafeHtml | null {
  const own = (context.data.reviewComments ?? []).filter(
    ({ repositoryId, pullNumber, reviewId, replyTo }) =>
      repositoryId === pull.repositoryId &&
      pullNumber === pull.number &&
      (reviewId === null || replyTo !== null),
  );
  const conversation = pull.comments ?? [];
  if (own.length + conversation.length === 0) return null;
  const box = (comment: CommentRecord, place: SafeHtml | null) =>
    safeHtml`<section class="box run" id="comment-${comment.id}"><header><h3>${accountById(context.data, comment.authorId).login} ${place}</h3></header>
<div class="inside">${renderMarkdown(comment.body)}</div></section>`;
  return safeHtml`<h2>Comments</h2>${own.map((comment) =>
    box(
      comment,
      safeHtml`<span class="soft">· ${comment.replyTo === null ? 'on' : 'reply on'} <code>${comment.path}${comment.line === null ? '' : `:${comment.line}`}</code></span>`,
    ),
  )}${conversation.map((comment) => box(comment, null))}`;
}

/** What can be done with a pull request in its state. */
function buttons({ context, repository }: RepositoryPageCall, pull: PullRecord): SafeHtml | null {
  if (repository.private || pull.mergedAt) return null;
  const address = `/${fullNameOf(context.data, repository)}/pull/${pull.number}`;
  const button = (action: string, label: string) =>
    safeHtml`<form method="post" action="${address}/${action}"><button type="submit">${label}</button></form>`;
  return safeHtml`<div class="actions">${
    pull.state === 'closed'
      ? button('reopen', 'Reopen')
      : [pull.mergeSha !== null && button('merge', 'Merge'), button('close', 'Close')]
  }</div>`;
}

/** `/owner/name/pull/7`: the checks of its newest commit, its commits, and the files that it changes. */
export async function pullPage(call: RepositoryPageCall): Promise<PageResult> {
  const { context, repository, rest } = call;
  const pull = findPull(context.data, repository.id, rest[1]);
  if (!pull || rest.length !== 2) return null;
  const head = repositoryById(context.data, pull.headRepositoryId);
  const author = accountById(context.data, pull.authorId).login;
  const gitDir = gitDirOf(context, repository.id);
  const base = (await findMergeBase(gitDir, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  const [commits, changes, report] = await Promise.all([
    listCommits(gitDir, { include: [pull.headSha], exclude: [base], limit: MAX_COMMITS }),
    listChanges(gitDir, base, pull.headSha),
    checkReport(context, repository, pull.headSha),
  ]);
  const branch = head === repository ? pull.headRef : `${fullNameOf(context.data, head)}:${pull.headRef}`;
  const conflicts = pull.state === 'open' && pull.mergeSha === null;
  return frame(
    `#${pull.number} ${pull.title}`,
    trailOf(call, safeHtml`<span aria-current="page">#${pull.number}</span>`),
    safeHtml`<h1>${pull.title} <span class="soft">#${pull.number}</span></h1>
<p class="sentence">${stateLabel(pullState(pull))} ${author} ${pull.mergedAt ? 'merged' : 'wants to merge'} <code>${branch}</code> into <code>${pull.baseRef}</code>.${
      conflicts && ' It conflicts with its base.'
    }</p>
${pull.body && renderMarkdown(pull.body)}
${buttons(call, pull)}
${report}
${reviewList(context, pull)}
${commentList(context, pull)}
<h2>Commits</h2>
${commitTable(context, repository, commits)}
<h2>Files changed</h2>
${changeTable(changes)}`,
  );
}
