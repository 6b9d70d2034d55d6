import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath, previewPath, spacePartPath } from '../addresses.ts';
import { commentsPath } from '../comments/place.ts';
import { commentField } from '../comments/thread-view.ts';
import { formatAhead, formatMessage, formatMoment, formatNumber, plural } from '../format.ts';
import type { ChangeRequestFacts } from './change-request-facts.ts';
import {
  renderAvatar,
  renderChangeRequestPage,
  renderRequestState,
  subjectOf,
} from './change-request-frame.ts';
import { renderMergeBox } from './change-request-merge.ts';
import { renderRepositoryBox } from './change-request-repository.ts';
import { renderReviewers } from './change-request-reviewers.ts';
import { renderChangedFile } from './changed-file-view.ts';
import { renderMore } from './more-link.ts';

/** One change request with everything to decide about it. */
export function renderChangeRequest(facts: ChangeRequestFacts): string {
  const { frame, changeRequest, news, problem } = facts;
  return renderChangeRequestPage({
    frame,
    changeRequest,
    title: `${subjectOf(changeRequest)} (#${changeRequest.number})`,
    news,
    problem,
    main: html`<div class="request-head"><h1>${subjectOf(changeRequest)} <span class="soft">#${changeRequest.number}</span></h1>
<p class="byline">${renderRequestState(changeRequest)} ${renderByline(facts)}</p></div>
<div class="beside request">
<div>
${renderDescription(facts)}
${renderBroken(facts)}
${renderChanges(facts)}
${renderReviewForm(facts)}
</div>
<div class="side">
${renderMergeBox(facts)}
${renderRepositoryBox(facts)}
${renderReviewers(facts)}
${renderContributors(facts)}
${renderComments(facts)}
${renderPreview(facts)}
${renderStatusForms(facts)}
</div>
</div>`,
  });
}

function renderByline({ changeRequest, fileCount, now }: ChangeRequestFacts): Markup {
  const { createdBy, createdAt, updatedAt, mergedAt, mergedBy, status, outdated } = changeRequest;
  const name = createdBy?.displayName ?? 'Somebody who is gone';
  if (status === 'merged' && mergedAt !== undefined)
    return html`${mergedBy?.displayName ?? 'Somebody'} merged ${plural(fileCount, 'changed file')}${mergedBy !== undefined && mergedBy.id === createdBy?.id ? null : html` of ${name}`} ${formatMoment(mergedAt, now)}.`;
  return html`${name} proposes ${plural(fileCount, 'changed file')}, created ${formatMoment(createdAt, now)}, changed ${formatMoment(updatedAt, now)}.${
    outdated && status !== 'archived' ? ' The space has changed since.' : null
  }`;
}

function renderDescription({ space, changeRequest, description }: ChangeRequestFacts): Markup {
  const { permissions, number, subject, descriptionMarkdown = '' } = changeRequest;
  const form = html`<details class="edit-request"><summary>Edit the subject and the description</summary>
<form method="post" action="${changeRequestPath(space.id, number, 'edit')}">
<div class="field"><label for="docloom-new-subject">Subject</label>
<input id="docloom-new-subject" name="subject" type="text" maxlength="256" autocomplete="off" value="${subject}"></div>
<div class="field"><label for="docloom-description">Description</label>
<textarea id="docloom-description" name="description" rows="6" maxlength="65536" aria-describedby="docloom-description-hint">
${descriptionMarkdown}</textarea>
<p class="hint" id="docloom-description-hint">Markdown. Say what changes for readers, and why.</p></div>
<button type="submit">Save</button>
</form></details>`;
  return html`<section class="card description" aria-label="Description">
${description === null ? html`<p class="soft">No description.</p>` : html`<article class="content">${description}</article>`}
${permissions.edit ? form : null}
</section>`;
}

function renderBroken({ brokenLinks, brokenCount }: ChangeRequestFacts): Markup | null {
  if (brokenCount === 0) return null;
  const rest = brokenCount - brokenLinks.length;
  return html`<section aria-labelledby="docloom-broken"><h2 id="docloom-broken">Links that it breaks</h2>
<p class="notice bad">${plural(brokenCount, 'link')} that ${brokenCount === 1 ? 'is' : 'are'} not broken in the space now.</p>
<div class="scroll findings" tabindex="0" role="region" aria-label="Broken links"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Link</th><th scope="col">Why</th></tr></thead>
<tbody>
${brokenLinks.map(({ locationReferences: [location], targetReference, check }) => {
  const where =
    location?.position === undefined
      ? (location?.page?.title ?? '')
      : `${location.position.path}:${location.position.line}`;
  return html`<tr><th scope="row"><code>${where}</code></th><td><code>${targetReference.url ?? ''}</code></td><td class="reason">${formatMessage(
    check.message ?? check.rule ?? 'This link leads nowhere.',
  )}${check.suggestion === undefined ? null : html`<br>Did you mean <code>${check.suggestion}</code>?`}</td></tr>
`;
})}</tbody></table></div>
${rest > 0 ? html`<p class="more">And ${formatNumber(rest)} more.</p>` : null}</section>`;
}

function renderChanges(facts: ChangeRequestFacts): Markup {
  const { space, changeRequest, files, fileCount, moreFiles, shownAs } = facts;
  const path = changeRequestPath(space.id, changeRequest.number);
  if (fileCount === 0)
    return html`<section aria-labelledby="docloom-changes"><h2 id="docloom-changes">Changes</h2>
<p class="empty soft">It changes nothing yet.${changeRequest.permissions.edit ? html` Open a page of the <a href="${spacePartPath(space.id, 'content')}">content</a>, and choose <em>Edit</em>.` : null}</p></section>`;
  return html`<section aria-labelledby="docloom-changes"><div class="title-row section-title"><h2 id="docloom-changes">Changes</h2>
<ul class="switch" aria-label="How pages are shown">
<li><a href="${path}#docloom-changes"${shownAs === 'rendered' ? html` aria-current="true"` : null}>Rendered</a></li>
<li><a href="${path}?as=source#docloom-changes"${shownAs === 'source' ? html` aria-current="true"` : null}>Source</a></li>
</ul></div>
${
  files.length > 1
    ? html`<nav class="file-list small" aria-label="Changed files"><ul>${files.map(
        ({ file, anchor }) =>
          html`<li><a href="#${anchor}">${file.page?.title ?? file.path}</a> <span class="soft">${file.kind}</span></li>
`,
      )}</ul></nav>`
    : null
}
${files.map(renderChangedFile)}
${facts.commentTemplate}${renderMore(moreFiles, 'More changed files')}</section>`;
}

/** For reviewers: what they say about what is shown above. */
function renderReviewForm({ space, changeRequest, userId, contributors }: ChangeRequestFacts): Markup | null {
  const { permissions, status, number, revision, createdBy } = changeRequest;
  if (!permissions.review || status === 'merged' || status === 'archived') return null;
  const isOwn =
    userId !== null && (createdBy?.id === userId || contributors.some(({ user }) => user.id === userId));
  return html`<section class="card review-form" aria-labelledby="docloom-review"><h2 id="docloom-review">Your review</h2>
<form method="post" action="${changeRequestPath(space.id, number, 'review')}">
<input type="hidden" name="revision" value="${revision}">
<fieldset><legend>What you say about these changes</legend>
<label class="choice"><input type="radio" name="status" value="approved"${isOwn ? html` disabled` : html` required`}> <span><strong>Approve</strong> <span class="soft">${
    isOwn ? 'You changed it, so somebody else has to approve it.' : 'It can be merged as it is.'
  }</span></span></label>
<label class="choice"><input type="radio" name="status" value="changes-requested" required> <span><strong>Request changes</strong> <span class="soft">Something has to be better first.</span></span></label>
</fieldset>
${changeRequest.permissions.comment ? commentField({ id: 'docloom-review-comment', label: 'Comment', isOptional: true }) : null}
<button type="submit">Submit the review</button>
</form></section>`;
}

function renderContributors({ contributors }: ChangeRequestFacts): Markup | null {
  if (contributors.length === 0) return null;
  return html`<section aria-labelledby="docloom-contributors"><h2 id="docloom-contributors">Contributors</h2>
<ul class="plain people">${contributors.map(
    ({ user, count }) =>
      html`<li>${renderAvatar(user.displayName)}<span class="grow">${user.displayName}</span><span class="soft small">${plural(count, 'change')}</span></li>
`,
  )}</ul></section>`;
}

/** The way to the discussion, which has a page of its own. */
function renderComments({ space, changeRequest }: ChangeRequestFacts): Markup | null {
  if (!changeRequest.permissions.comment) return null;
  const { comments, number } = changeRequest;
  const path = commentsPath({ spaceId: space.id, changeRequest: String(number) });
  return html`<section aria-labelledby="docloom-comments"><h2 id="docloom-comments">Comments</h2>
<p><a class="button quiet" href="${path}">${comments === 0 ? 'Comment on it' : plural(comments, 'open comment')}</a></p></section>`;
}

function renderPreview({ space, changeRequest }: ChangeRequestFacts): Markup {
  return html`<section aria-labelledby="docloom-preview"><h2 id="docloom-preview">Preview</h2>
<p><a class="button quiet" href="${previewPath(space.id, changeRequest.revision)}">Read it as it would be</a></p></section>`;
}

function renderStatusForms({ space, changeRequest, now }: ChangeRequestFacts): Markup | null {
  const { permissions, status, number, removedAt } = changeRequest;
  if (!permissions.edit || status === 'merged') return null;
  const button = (to: string, words: string) =>
    html`<form method="post" action="${changeRequestPath(space.id, number, 'status')}"><input type="hidden" name="status" value="${to}"><button type="submit" class="quiet">${words}</button></form>`;
  return html`<section class="request-status" aria-label="State">
${status === 'draft' ? button('open', 'Open for review') : null}
${status === 'open' ? button('draft', 'Back to draft') : null}
${status === 'archived' ? button('open', 'Reopen') : button('archived', 'Archive')}
${removedAt === undefined ? null : html`<p class="small soft">Deleted ${formatAhead(removedAt, now)} unless it is reopened.</p>`}
</section>`;
}
