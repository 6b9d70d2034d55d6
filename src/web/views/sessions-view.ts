import type { BrowserSession } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { ACCOUNT_PATHS } from '../addresses.ts';
import { formatMoment } from '../format.ts';
import { renderLayout } from '../layout.ts';
import { renderAccountTabs } from './account-tabs.ts';
import { renderTable } from './data-table.ts';
import { describeBrowser } from './describe-browser.ts';
import { describeSignIn } from './describe-sign-in.ts';
import { renderMore } from './more-link.ts';

/** The browsers in which somebody is signed in. */
export function renderSessions(options: {
  readonly sessions: readonly BrowserSession[];
  /** The address of the next ones; null when there are no more. */
  readonly more: string | null;
  readonly news: string | null;
  /** Whether there may be sessions that this one does not see. */
  readonly isPartial: boolean;
  readonly now: Date;
  readonly user: { readonly displayName: string };
}): string {
  const { sessions, more, news, isPartial, now } = options;
  return renderLayout({
    title: 'Sessions',
    user: options.user,
    main: html`<h1>Your account</h1>
${renderAccountTabs(ACCOUNT_PATHS.sessions)}
${news === null ? null : html`<p class="notice good" role="status">${news}</p>`}
<p class="lead">The browsers in which you are signed in. A session ends 30 days after it began, after 7 days without use, and at once when you end it here.</p>
${isPartial ? html`<p class="soft">You signed in by single sign-on, with a recovery code or with an API token, so sessions that were begun in other ways may be missing here.</p>` : null}
${renderTable({
  id: 'docloom-sessions',
  title: 'Sessions',
  columns: ['Browser', 'Signed in with', 'Address', 'Begun', 'Last used', 'End'],
  rows: sessions.map((session) => renderRow(session, now)),
  empty: 'You are signed in nowhere.',
})}
${renderMore(more, 'More sessions')}
${
  sessions.some(({ current }) => !current)
    ? html`<form method="post" action="${ACCOUNT_PATHS.endOtherSessions}" class="buttons after"><button type="submit">End all others</button><span class="soft">This browser stays signed in.</span></form>`
    : null
}`,
  });
}

function renderRow(session: BrowserSession, now: Date): Markup {
  const { id, provider, address, userAgent, createdAt, lastUsedAt, current } = session;
  const browser = userAgent === undefined ? 'Unknown browser' : describeBrowser(userAgent);
  return html`<tr><th scope="row"${userAgent === undefined ? null : html` title="${userAgent}"`}>${browser}${current ? html` <span class="state good">This browser</span>` : null}</th><td>${describeSignIn(provider)}</td><td>${address ?? ''}</td><td class="time">${formatMoment(createdAt, now)}</td><td class="time">${formatMoment(lastUsedAt, now)}</td><td>${
    current
      ? html`<span class="soft">Sign out above</span>`
      : html`<form method="post" action="${ACCOUNT_PATHS.endSession}"><input type="hidden" name="id" value="${id}"><button class="quiet" type="submit">End<span class="visually-hidden"> the session of ${browser}, ${address ?? ''}</span></button></form>`
  }</td></tr>
`;
}
