import { html, type Markup, safeHref } from '../../markup/index.ts';
import type { FeedbackForm } from './site-page.ts';
import type { Words } from './words/index.ts';

/** Asks whether the page helped. A form of its own, so it works without a script and stores nothing in the browser. */
export function renderFeedback({ href, spaceId, pageId }: FeedbackForm, words: Words): Markup {
  return html`<form class="feedback" method="post" action="${safeHref(href)}" aria-label="${words.feedbackQuestion}"><input type="hidden" name="space" value="${spaceId}"><input type="hidden" name="page" value="${pageId}">
<p>${words.feedbackQuestion}</p> <button name="helpful" value="yes">${words.yes}</button> <button name="helpful" value="no">${words.no}</button>
<details><summary>${words.feedbackComment}</summary><textarea name="comment" rows="3" maxlength="2000" aria-label="${words.feedbackComment}"></textarea></details></form>`;
}
