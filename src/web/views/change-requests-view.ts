import type { ChangeRequest, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath, changeRequestsPath } from '../addresses.ts';
import { formatMoment, formatNumber, plural } from '../format.ts';
import {
  renderAvatar,
  renderChangeRequestPage,
  renderRequestState,
  subjectOf,
} from './change-request-frame.ts';
import { renderMore } from './more-link.ts';
import type { SpaceFrame } from './space-frame.ts';
import { renderTabs } from './tabs.ts';

/** What a list of change requests is narrowed to. */
export interface RequestFilter {
  readonly status: 'open' | 'draft' | 'merged' | 'archived' | 'all';
  /** Only the reader's own, or those that wait for their review. */
  readonly mine: 'created' | 'review' | '';
}

export const STATUS_TABS = [
  ['open', 'Open'],
  ['draft', 'Drafts'],
  ['merged', 'Merged'],
  ['archived', 'Archived'],
  ['all', 'All'],
] as const;

export function listPath(spaceId: string, { status, mine }: RequestFilter): string {
  const query = new URLSearchParams({
    ...(status === 'open' ? {} : { status }),
    ...(mine === '' ? {} : { mine }),
  }).toString();
  return `${changeRequestsPath(spaceId)}${query === '' ? '' : `?${query}`}`;
}

/** The change requests of a space. */
export function renderChangeRequests(facts: {
  readonly filter: RequestFilter;
  readonly requests: readonly ChangeRequest[];
  readonly count: number;
  /** The reader's own drafts, where the list of open ones is empty. */
  readonly drafts: number;
  readonly more: string | null;
  readonly problem: string | null;
  readonly frame: SpaceFrame;
  readonly now: Date;
}): string {
  const { frame, filter, requests, count, drafts, more, problem, now } = facts;
  const { space } = frame;
  return renderChangeRequestPage({
    frame,
    changeRequest: null,
    title: 'Change requests',
    news: null,
    problem,
    main: html`<div class="title-row"><h1>Change requests</h1>${
      space.permissions.edit ? html`<a class="button" href="#docloom-new">New change request</a>` : null
    }</div>
<p class="lead">Proposed changes to ${space.title}, reviewed before readers see them.</p>
${renderTabs({
  about: 'Change requests by state',
  tabs: STATUS_TABS.map(([status, label]) => ({ href: listPath(space.id, { ...filter, status }), label })),
  current: listPath(space.id, filter),
})}
<nav class="choices" aria-label="Whose change requests"><ul>
${(
  [
    ['', 'Everybody’s'],
    ['created', 'Mine'],
    ['review', 'Waiting for my review'],
  ] as const
).map(
  ([mine, label]) =>
    html`<li><a href="${listPath(space.id, { ...filter, mine })}"${mine === filter.mine ? html` aria-current="true"` : null}>${label}</a></li>
`,
)}</ul></nav>
${
  requests.length === 0
    ? html`<div class="empty"><p>${emptyWords(filter)}</p>${
        drafts === 0
          ? null
          : html`<p><a href="${listPath(space.id, { status: 'draft', mine: 'created' })}">You have ${plural(drafts, 'draft')}</a>, not open for review yet.</p>`
      }</div>`
    : html`<p class="soft small">${plural(count, 'change request')}</p>
<ul class="plain requests">
${requests.map((request) => renderRow(space, request, now))}</ul>`
}
${renderMore(more, 'Older change requests')}
${space.permissions.edit ? renderNew(space) : null}`,
  });
}

function emptyWords({ status, mine }: RequestFilter): string {
  if (mine === 'review') return 'Nothing waits for your review.';
  const words = { open: 'open', draft: 'a draft', merged: 'merged', archived: 'archived', all: 'here' }[
    status
  ];
  return `No change request${mine === 'created' ? ' of yours' : ''} is ${words}.`;
}

function renderRow(space: Space, request: ChangeRequest, now: Date): Markup {
  const { number, createdBy, createdAt, updatedAt, comments, outdated, status } = request;
  const name = createdBy?.displayName ?? 'somebody who is gone';
  return html`<li>${renderAvatar(name)}<div class="grow"><a class="subject" href="${changeRequestPath(space.id, number)}">${subjectOf(request)}</a>
<p class="small soft">#${number} by ${name}, created ${formatMoment(createdAt, now)}, changed ${formatMoment(updatedAt, now)}${
    outdated && status !== 'archived' ? ' · the space has changed since' : null
  }</p></div>
${comments > 0 ? html`<span class="small soft">${formatNumber(comments)}<span class="visually-hidden"> open comments</span><span aria-hidden="true"> 💬</span></span>` : null}
${renderRequestState(request)}</li>
`;
}

function renderNew(space: Space): Markup {
  return html`<section aria-labelledby="docloom-new"><h2 id="docloom-new">New change request</h2>
<form method="post" action="${changeRequestsPath(space.id)}" class="card inline-form">
<div class="field"><label for="docloom-subject">What it changes, in a few words</label>
<input id="docloom-subject" name="subject" type="text" maxlength="256" autocomplete="off" required></div>
<button type="submit">Create a draft</button>
</form></section>`;
}
