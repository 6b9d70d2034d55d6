import type { SiteFeedback, SiteRedirect, SiteSpace } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { pagePath, sitePath } from '../addresses.ts';
import { formatMoment, plural } from '../format.ts';
import { renderTable } from './data-table.ts';
import { renderMore } from './more-link.ts';
import type { PageNews } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { type ManagedSiteFrame, renderManagedSitePage } from './site-frame.ts';
import { renderTabs } from './tabs.ts';
import { textInput } from './text-input.ts';

/** The redirects of a site, with those that lead nowhere. */
export function renderSiteRedirects(
  options: ManagedSiteFrame &
    PageNews & {
      readonly redirects: readonly SiteRedirect[];
      readonly count: number;
      readonly isDead: boolean;
      readonly find: string;
      readonly more: string | null;
      /** What a redirect leads to. */
      readonly siteSpaces: readonly SiteSpace[];
      readonly source: string;
    },
): string {
  const { organization, site, redirects, count, isDead, find, more, siteSpaces, source } = options;
  const path = sitePath(organization.id, site.id, 'redirects');
  const titleOf = new Map(siteSpaces.map(({ id, title }) => [id, title]));
  return renderManagedSitePage({
    ...options,
    tab: 'redirects',
    main: html`<p class="lead">Moved pages redirect by themselves. A redirect is for addresses that the site never had, such as those of another program. The header <code>x-redirect-by</code> of an answer says which rule leads on from an address.</p>
${renderTabs({
  about: 'Redirects',
  tabs: [
    { href: path, label: 'All' },
    { href: `${path}?dead=true`, label: 'Leading nowhere' },
  ],
  current: isDead ? `${path}?dead=true` : path,
})}
${
  isDead
    ? null
    : html`<form class="filter list-filter" action="${path}"><div class="field"><label class="visually-hidden" for="docloom-find">Filter by address</label>
<input id="docloom-find" name="find" type="search" value="${find}" placeholder="Filter by address" maxlength="200" autocomplete="off"></div><button class="quiet" type="submit">Filter</button></form>`
}
${renderTable({
  id: 'docloom-redirects',
  title: plural(count, 'redirect'),
  columns: ['From', 'To', 'Change'],
  rows: redirects.map(
    ({ id, source: from, destination }) =>
      html`<tr><th scope="row"><code>${from}</code></th><td>${describeDestination(destination, titleOf)}</td><td><form method="post" action="${path}/${id}/delete"><button class="quiet" type="submit">Delete<span class="visually-hidden"> ${from}</span></button></form></td></tr>
`,
  ),
  empty: isDead ? 'Every redirect leads somewhere.' : 'There is no redirect.',
})}
${renderMore(more, 'More redirects')}
${
  siteSpaces.length === 0
    ? null
    : html`<form class="card reading after" method="post" action="${path}">
<h3>New redirect</h3>
${textInput({ id: 'docloom-source', name: 'source', label: 'From', type: 'text', autocomplete: 'off', maxLength: 512, value: source, hint: html`A path of the site such as <code>/old/page</code>, or <code>/old/*</code> for everything below it.` })}
${selectInput({ id: 'docloom-to', name: 'to', label: 'To the beginning of', options: siteSpaces.map(({ id, title, path: at }) => ({ value: id, label: `${title} (/${at})` })), selected: null })}
<button type="submit">Create the redirect</button>
</form>`
}`,
  });
}

function describeDestination(
  destination: SiteRedirect['destination'],
  titleOf: ReadonlyMap<string, string>,
): Markup | string {
  if (destination.kind === 'site-section') return html`the section <code>${destination.siteSectionId}</code>`;
  const title = titleOf.get(destination.siteSpaceId) ?? 'a space that is gone';
  return destination.kind === 'site-space' ? title : `a page of ${title}`;
}

/** What readers said of the pages of a site. */
export function renderSiteFeedback(
  options: ManagedSiteFrame & {
    readonly feedback: readonly SiteFeedback[];
    readonly count: number;
    /** Empty for all, else `yes` or `no`. */
    readonly helpful: string;
    readonly more: string | null;
    readonly now: Date;
  },
): string {
  const { organization, site, feedback, count, helpful, more, now } = options;
  const path = sitePath(organization.id, site.id, 'feedback');
  return renderManagedSitePage({
    ...options,
    tab: 'feedback',
    main: html`<p class="lead">Readers say at the end of a page whether it helped. Nothing is stored about who said it.</p>
${renderTabs({
  about: 'Feedback',
  tabs: [
    { href: path, label: 'All' },
    { href: `${path}?helpful=no`, label: 'Not helpful' },
    { href: `${path}?helpful=yes`, label: 'Helpful' },
  ],
  current: helpful === '' ? path : `${path}?helpful=${helpful}`,
})}
${renderTable({
  id: 'docloom-feedback',
  title: `${plural(count, 'answer')}`,
  columns: ['When', 'Page', 'Helpful', 'What they wrote'],
  rows: feedback.map(
    ({ createdAt, page, helpful: didHelp, comment }) =>
      html`<tr><td class="time">${formatMoment(createdAt, now)}</td><th scope="row"><a href="${pagePath(page.space, page.id)}">${page.title}</a></th><td><span class="state ${didHelp ? 'good' : 'bad'}">${didHelp ? 'Yes' : 'No'}</span></td><td class="reason">${comment ?? ''}</td></tr>
`,
  ),
  empty: 'Nobody has said anything yet.',
})}
${renderMore(more, 'Earlier answers')}`,
  });
}
