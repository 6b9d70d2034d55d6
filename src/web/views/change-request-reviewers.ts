import type { ChangeRequestReview } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath } from '../addresses.ts';
import { threadPath } from '../comments/place.ts';
import { formatMoment } from '../format.ts';
import type { ChangeRequestFacts } from './change-request-facts.ts';
import { renderAvatar } from './change-request-frame.ts';
import { invitesOf, renderPicker } from './subject-picker.ts';

/** Of the comment of a review, in UTF-16 code units. */
const SAID_SHOWN = 280;

/** Who reviewed, what they said and whether it still holds; who was requested; and whom to request. */
export function renderReviewers(facts: ChangeRequestFacts): Markup {
  const { space, frame, changeRequest, reviews, requested, candidates, isAsking, now } = facts;
  const { number, status, permissions } = changeRequest;
  const act = (part: string) => changeRequestPath(space.id, number, part);
  const isOpen = status === 'draft' || status === 'open';
  return html`<section aria-labelledby="docloom-reviewers"><h2 id="docloom-reviewers">Reviewers</h2>
${reviews.length + requested.length === 0 ? html`<p class="soft small">Nobody has reviewed it, and nobody was asked to.</p>` : null}
<ul class="plain people">
${lastOfEach(reviews).map((review) => {
  const { reviewer, createdAt } = review;
  return html`<li>${renderAvatar(reviewer.displayName)}<span class="grow">${reviewer.displayName}<br><span class="soft small">${formatMoment(createdAt, now)}${
    review.outdated ? ', before its last change' : null
  }</span></span>${renderVerdict(review)}${renderSaid(facts, review)}</li>
`;
})}${requested.map(({ kind, user, team, requestedBy }) => {
  const name = user?.displayName ?? team?.title ?? 'A team';
  const id = user?.id ?? team?.id ?? '';
  return html`<li>${renderAvatar(name)}<span class="grow">${name}<br><span class="soft small">${kind === 'team' ? 'Team, r' : 'R'}equested by ${requestedBy.displayName}</span></span><span class="state wait">Waiting</span>${
    permissions.edit && isOpen && id !== ''
      ? html`<form method="post" action="${act('withdraw')}"><input type="hidden" name="subject" value="${kind}:${id}"><button type="submit" class="quiet icon-button"><span aria-hidden="true">×</span><span class="visually-hidden">Withdraw the request to ${name}</span></button></form>`
      : null
  }</li>
`;
})}</ul>
${
  candidates !== null && permissions.edit && isOpen
    ? html`<details class="request-reviewers" id="docloom-add"${candidates.find === '' && !isAsking ? null : html` open`}><summary>Request a review</summary>
${renderPicker({ candidates, page: changeRequestPath(space.id, number), action: act('request'), button: 'Request', invite: invitesOf(frame.organization), extra: null })}</details>`
    : null
}</section>`;
}

/** How the comment of a review begins, as text. */
function renderSaid(
  { space, changeRequest }: ChangeRequestFacts,
  { comment }: ChangeRequestReview,
): Markup | null {
  if (comment === undefined) return null;
  const { markdown = '' } = comment.body;
  const place = { spaceId: space.id, changeRequest: String(changeRequest.number) };
  const text = markdown.length > SAID_SHOWN ? `${markdown.slice(0, SAID_SHOWN).toWellFormed()}…` : markdown;
  return html`<p class="review-said small">${text} <a href="${threadPath(place, comment.id)}">Answer</a></p>`;
}

function renderVerdict({ status, outdated }: ChangeRequestReview): Markup {
  if (status === 'approved')
    return outdated
      ? html`<span class="state idle">Approved earlier</span>`
      : html`<span class="state good">Approved</span>`;
  return html`<span class="state bad">Wants changes</span>`;
}

/** What each reviewer said last. */
function lastOfEach(reviews: readonly ChangeRequestReview[]): readonly ChangeRequestReview[] {
  const seen = new Set<string>();
  return reviews.filter(({ reviewer }) => {
    if (seen.has(reviewer.id)) return false;
    seen.add(reviewer.id);
    return true;
  });
}
