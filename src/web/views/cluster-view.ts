import type {
  ChangeRequest,
  Conversation,
  ConversationIssue,
  IssuesCluster,
  NearestPage,
  Organization,
} from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { changeRequestPath, clusterPath, conversationPath, pagePath, spacePath } from '../addresses.ts';
import { formatMessage, formatMoment, plural } from '../format.ts';
import { listSources } from './clusters-view.ts';
import { describeSource } from './describe-source.ts';
import { renderFacts } from './facts.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { renderPulse } from './pulse.ts';
import { selectInput } from './select-input.ts';
import { textInput } from './text-input.ts';

/** A link of a near page that leads nowhere: into the docs, or to another site. */
export interface DeadPageLink {
  readonly target: string;
  readonly reason: string;
}

export interface ShownNearPage extends NearestPage {
  readonly dead: readonly DeadPageLink[];
}

/** Where a new page can go. */
export interface PagePlace {
  readonly value: string;
  readonly label: string;
}

export interface ClusterPage extends PageNews {
  readonly organization: Organization;
  readonly cluster: IssuesCluster;
  readonly issues: readonly { readonly issue: ConversationIssue; readonly conversation: Conversation }[];
  readonly more: string | null;
  readonly pages: readonly ShownNearPage[];
  /** Change requests that are to answer it, of those that the reader may see; the last changed first. */
  readonly changeRequests: readonly ChangeRequest[];
  /** Empty where the reader may write in no space. */
  readonly places: readonly PagePlace[];
  readonly form: { readonly title: string; readonly place: string };
  readonly user: { readonly displayName: string };
  readonly now: Date;
}

/** One group of questions: who asked them where, which pages are near, and how it becomes a page. */
export function renderCluster(page: ClusterPage): string {
  const { organization, cluster, issues, now } = page;
  const { stats, weeklyPulse, sources } = cluster;
  return renderOrganizationPage({
    ...page,
    section: 'conversations',
    title: cluster.label,
    main: html`${renderFacts([
      ['Asked', `${plural(stats.issues, 'time')}, in ${plural(stats.conversations, 'conversation')}`],
      ['Past 13 weeks', renderPulse(weeklyPulse)],
      ['First', formatMoment(cluster.createdAt, now)],
      ['Last', formatMoment(cluster.updatedAt, now)],
      ['From', listSources(sources)],
      [
        'Named',
        cluster.method === 'model' ? 'By the language model' : 'By the words that its questions share',
      ],
    ])}
<h2 id="docloom-asked">What people asked</h2>
<ul class="plain list" aria-labelledby="docloom-asked">
${issues.map((issue) => renderIssue(organization.id, issue, now))}</ul>
${renderMore(page.more, 'More questions')}
<h2 id="docloom-near">What the docs say</h2>
${renderPages(page.pages)}
${renderChangeRequests(page)}
${renderForm(page)}`,
  });
}

function renderIssue(
  organizationId: string,
  { issue, conversation }: ClusterPage['issues'][number],
  now: Date,
): Markup {
  const away = safeHref(conversation.urls.source);
  return html`<li class="list-row"><div class="list-main"><a href="${conversationPath(organizationId, conversation.id)}">${issue.title}</a>
${issue.summary === issue.title ? null : html`<p class="small">${issue.summary}</p>`}
${renderQuotes(issue)}
<p class="small soft">${describeSource(conversation.source)}${away === null ? null : html` · <a class="away" href="${away}">Open there</a>`}</p></div>
<span class="small soft list-time">${formatMoment(issue.createdAt, now)}</span></li>
`;
}

/** What people said, word for word, where a model put it into other words. */
function renderQuotes({ quotes = [] }: ConversationIssue): Markup | null {
  if (quotes.length === 0) return null;
  return html`<ul class="plain small quotes" aria-label="What people said">${quotes.map((quote) => html`<li><q>${quote}</q></li>\n`)}</ul>`;
}

function renderPages(pages: readonly ShownNearPage[]): Markup {
  if (pages.length === 0) return html`<p class="soft">No page says anything of this.</p>`;
  return html`<ul class="plain list" aria-labelledby="docloom-near">
${pages.map(
  ({ space, page, section, dead }) =>
    html`<li class="list-row"><div class="list-main"><a href="${pagePath(space.id, page.id)}">${page.title}</a>
<p class="small">${section.title === undefined || section.title === page.title ? null : html`<strong>${section.title}</strong>: `}${section.text}</p>
${dead.length === 0 ? null : html`<ul class="small">${dead.map(({ target, reason }) => html`<li><span class="state bad">Broken</span> <code>${target}</code> ${formatMessage(reason)}</li>\n`)}</ul>`}</div>
<span class="small soft list-time"><a href="${spacePath(space.id)}">${space.title}</a></span></li>
`,
)}</ul>`;
}

const STATES: Readonly<Record<ChangeRequest['status'], string>> = {
  draft: 'Being written',
  open: 'In review',
  merged: 'Published',
  archived: 'Given up',
};

/** What people write for it already, or wrote. */
function renderChangeRequests({ changeRequests, now }: ClusterPage): Markup | null {
  if (changeRequests.length === 0) return null;
  return html`<h2 id="docloom-written">What is written for it</h2>
<ul class="plain list" aria-labelledby="docloom-written">
${changeRequests.map(
  ({ space, number, subject, status, updatedAt }) =>
    html`<li class="list-row"><div class="list-main"><a href="${changeRequestPath(space, number)}">${subject === '' ? `Change request ${number}` : subject}</a></div>
<span class="state${status === 'merged' ? ' good' : ''}">${STATES[status]}</span>
<span class="small soft list-time">${formatMoment(updatedAt, now)}</span></li>
`,
)}</ul>`;
}

/** Whether somebody writes a page for it, so that a second one is only made where it is asked for. */
export function isBeingWritten(changeRequests: readonly Pick<ChangeRequest, 'status'>[]): boolean {
  return changeRequests.some(({ status }) => status === 'draft' || status === 'open');
}

function renderForm(page: ClusterPage): Markup {
  const { organization, cluster, places, form, changeRequests } = page;
  if (places.length === 0) return html`<p class="soft">There is no space here that you may write in.</p>`;
  const isSecond = isBeingWritten(changeRequests);
  const fields = html`<form class="card reading after" method="post" action="${clusterPath(organization.id, cluster.id, 'page')}">
${isSecond ? html`<input type="hidden" name="again" value="yes">` : null}
<h2>${isSecond ? 'Write another page' : 'Write a page'}</h2>
<p>This opens a change request with a page that lists these questions, for you to answer. Readers see it when it is merged.</p>
${textInput({ id: 'docloom-title', name: 'title', label: 'Title', type: 'text', autocomplete: 'off', maxLength: 200, value: form.title, hint: 'What readers look for, in their words.' })}
${selectInput({ id: 'docloom-place', name: 'place', label: 'Where', options: places, selected: form.place })}
<button type="submit">Write the page</button></form>`;
  return isSecond
    ? html`<details class="after"><summary>Write another page</summary>\n${fields}</details>`
    : fields;
}
