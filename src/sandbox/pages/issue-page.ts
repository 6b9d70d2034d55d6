import { accountById, findIssue } from '../state/find-records.ts';
import { frame, stateLabel } from './frame.ts';
import { safeHtml } from './html.ts';
import { type PageResult, type RepositoryPageCall, trailOf } from './page.ts';
import { renderMarkdown } from './render-markdown.ts';

/** `/owner/name/issues/7`: its text and state. */
export function issuePage(call: RepositoryPageCall): PageResult {
  const { context, repository, rest } = call;
  const issue = findIssue(context.data, repository.id, rest[1]);
  if (!issue || rest.length !== 2) return null;
  return frame(
    `#${issue.number} ${issue.title}`,
    trailOf(call, safeHtml`<span aria-current="page">#${issue.number}</span>`),
    safeHtml`<h1>${issue.title} <span class="soft">#${issue.number}</span></h1>
<p class="sentence">${stateLabel(issue.state)} by ${accountById(context.data, issue.authorId).login}.</p>
${issue.body && renderMarkdown(issue.body)}`,
  );
}
