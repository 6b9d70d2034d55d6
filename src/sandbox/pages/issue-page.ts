import { accountById } from '../state/find-records.ts';
import { frame, stateLabel } from './frame.ts';
import { safeHtml } from './html.ts';
import { type PageResult, type RepositoryPageCall, trailOf } from './page.ts';
import { renderMarkdown } from './render-markdown.ts';

/** `/owner/name/issues/7`: its text and state. */
export function issuePage(call: RepositoryPageCall): PageResult {
  const { context, repository, rest } = call;
  const issue = (context.data.issues ?? []).find(
    (candidate) =>
      candidate.repositoryId === repository.id && String(candidate.number) === rest[1] && rest.length === 2,
  );
  if (!issue) return null;
  return frame(
    `#${issue.number} ${issue.title}`,
    trailOf(call, safeHtml`<span aria-current="page">#${issue.number}</span>`),
    safeHtml`<h1>${issue.title} <span class="soft">#${issue.number}</span></h1>
<p class="sentence">${stateLabel(issue.state)} by ${accountById(context.data, issue.authorId).login}.</p>
${issue.body && renderMarkdown(issue.body)}`,
  );
}
