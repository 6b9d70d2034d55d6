import type { ChangeRequest, Notification } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath, readNotificationsPath, spacePartPath } from '../addresses.ts';
import { formatMoment, plural } from '../format.ts';
import type { ExpiringIgnores } from '../scheduled.ts';
import { subjectOf } from './change-request-frame.ts';
import type { SpaceCard } from './space-card.ts';

/** What waits for somebody. */
export interface Needs {
  /** The newest that are unread. */
  readonly notifications: readonly Notification[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  /** Open change requests whose review is requested of them, or of a team of theirs. */
  readonly reviews: readonly ChangeRequest[];
  /** Of repositories whose spaces they may edit. */
  readonly ignores: readonly ExpiringIgnores[];
}

/** What waits for the reader, and what is wrong with the spaces that are shown; null when nothing is. */
export function renderNeeds(
  { notifications, hasMore, reviews, ignores }: Needs,
  cards: readonly SpaceCard[],
  now: Date,
): Markup | null {
  const items = [
    ...reviews.map(
      (request) =>
        html`<a href="${changeRequestPath(request.space, request.number)}">Review “${subjectOf(request)}”</a> <span class="small soft">#${request.number}, changed ${formatMoment(request.updatedAt, now)}</span>`,
    ),
    ...notifications.map((notification) => renderNotification(notification, now)),
    ...cards.flatMap(renderTroubles),
    ...ignores.flatMap(renderIgnores),
  ];
  if (items.length === 0) return null;
  return html`<section aria-labelledby="docloom-needs"><div class="title-row section-title"><h2 id="docloom-needs">What needs you</h2>
${notifications.length === 0 ? null : html`<form method="post" action="${readNotificationsPath}"><button class="quiet" type="submit">Mark messages as read</button></form>`}</div>
<ul class="plain rows">
${items.map((item) => html`<li>${item}</li>\n`)}</ul>
${hasMore ? html`<p class="small soft">These are the newest messages; older ones are shown when these are read.</p>` : null}
</section>`;
}

/** The address of what a notification is about is on this server, whatever its public address is. */
function renderNotification(notification: Notification, now: Date): Markup {
  const { pathname, hash } = new URL(notification.urls.app);
  const { text, createdAt, space } = notification;
  return html`<a href="${pathname}${hash}">${describe(notification)}</a> <span class="small soft">in ${space.title}, ${formatMoment(createdAt, now)}</span>${
    text === undefined ? null : html`<br><span class="small soft">${text}</span>`
  }`;
}

function describe({ kind, by, changeRequest, page }: Notification): string {
  const who = by?.displayName ?? 'Somebody';
  const where =
    changeRequest === undefined
      ? page === undefined
        ? ''
        : ` on ${page.title}`
      : ` on “${changeRequest.subject}”`;
  const words = {
    mention: `${who} mentioned you${where}`,
    reply: `${who} replied${where}`,
    comment: `${who} commented${where}`,
    review: `${who} reviewed your change request${where.replace(' on', '')}`,
    'review-request': `${who} asks for your review${where.replace(' on', ' of')}`,
  };
  return words[kind];
}

function renderIgnores({ repository, spaceId, ended, ending, nextDay }: ExpiringIgnores): readonly Markup[] {
  const href = spacePartPath(spaceId, 'links');
  const where = html`<span class="small soft"><code>checks.ignore</code> of ${repository}</span>`;
  return [
    ...(ended === 0
      ? []
      : [
          html`<a href="${href}">${plural(ended, 'ignore')} of broken links ${ended === 1 ? 'has' : 'have'} expired</a>, so ${ended === 1 ? 'its' : 'their'} links count again <br>${where}`,
        ]),
    ...(ending === 0 || nextDay === null
      ? []
      : [
          html`<a href="${href}">${plural(ending, 'ignore')} of broken links ${ending === 1 ? 'expires' : 'expire'} soon</a>, ${ending === 1 ? '' : 'the first '}after <time datetime="${nextDay}">${nextDay}</time> <br>${where}`,
        ]),
  ];
}

function renderTroubles({ space, live, lastOperation, disconnected }: SpaceCard): readonly Markup[] {
  const broken = live?.counts.broken ?? 0;
  const failed = lastOperation?.state === 'failure' && disconnected === null;
  return [
    ...(failed && lastOperation !== null
      ? [
          html`<a href="${spacePartPath(space.id, 'syncs')}">The last ${lastOperation.direction} of ${space.title} failed</a>`,
        ]
      : []),
    ...(disconnected === null || space.permissions.edit === false
      ? []
      : [html`<a href="${spacePartPath(space.id)}">No push reaches ${space.title} any more</a>`]),
    ...(broken > 0 && space.permissions.edit
      ? [
          html`<a href="${spacePartPath(space.id, 'links')}">${plural(broken, 'broken link')} in ${space.title}</a>`,
        ]
      : []),
  ];
}
