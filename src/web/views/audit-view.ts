import { type AuditEventResource, auditOutcomes, type Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { renderTable } from './data-table.ts';
import { describeBrowser } from './describe-browser.ts';
import { describeChanges } from './describe-changes.ts';
import { renderMore } from './more-link.ts';
import { renderOrganizationPage } from './organization-frame.ts';
import { selectInput } from './select-input.ts';

/** What the form of filters contains; each is empty for all events. */
export interface AuditFilterForm {
  readonly action: string;
  readonly actor: string;
  readonly target: string;
  readonly outcome: string;
  /** Days in UTC, both of them included. */
  readonly from: string;
  readonly to: string;
}

/** What was done in an organization, newest first. */
export function renderAuditLog(options: {
  readonly organization: Organization;
  readonly events: readonly AuditEventResource[];
  readonly form: AuditFilterForm;
  /** The filters as an address has them. */
  readonly query: Readonly<Record<string, string>>;
  /** The address of the next events; null when there are no more. */
  readonly more: string | null;
  readonly problem: string | null;
  readonly user: { readonly displayName: string };
}): string {
  const { organization, events, form, query, more } = options;
  const path = organizationPath(organization.id, 'audit');
  const download = `${path}.ndjson${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
  return renderOrganizationPage({
    ...options,
    section: 'audit',
    main: html`<p class="lead">Who changed what, from where, and what was there before. Times are in UTC.</p>
${filterForm(path, form)}
${renderTable({
  id: 'docloom-events',
  title: 'Events',
  columns: ['When', 'Who', 'What', 'On', 'Change'],
  rows: events.map((event) => renderEvent(event, path)),
  empty: Object.keys(query).length === 0 ? 'Nothing was recorded yet.' : 'Nothing was recorded that fits.',
})}
${renderMore(more, 'Earlier events')}
<p class="after"><a class="button quiet" href="${download}">Download as NDJSON</a> <span class="small soft">All events that fit, one in each line. The download is recorded.</span></p>`,
  });
}

function filterForm(path: string, form: AuditFilterForm): Markup {
  const field = (name: keyof AuditFilterForm, label: string, type: 'text' | 'date', hint?: string) =>
    html`<div class="field"><label for="docloom-filter-${name}">${label}</label>
<input id="docloom-filter-${name}" name="${name}" type="${type}" value="${form[name]}" autocomplete="off" spellcheck="false" autocapitalize="none"${hint === undefined ? null : html` aria-describedby="docloom-filter-${name}-hint"`}>
${hint === undefined ? null : html`<p class="hint" id="docloom-filter-${name}-hint">${hint}</p>`}</div>`;
  return html`<form method="get" action="${path}" class="card filters" role="search" aria-label="Events">
${field('action', 'Action', 'text', 'member.remove, or member for all')}
${field('actor', 'User', 'text', 'an id; click a name below')}
${field('target', 'Thing', 'text', 'an id; click a name below')}
${selectInput({
  id: 'docloom-filter-outcome',
  name: 'outcome',
  label: 'Outcome',
  options: [{ value: '', label: 'any' }, ...auditOutcomes.map((value) => ({ value, label: value }))],
  selected: form.outcome,
})}
${field('from', 'First day', 'date')}
${field('to', 'Last day', 'date')}
<div class="buttons"><button type="submit">Filter</button><a href="${path}">All events</a></div>
</form>`;
}

function renderEvent(event: AuditEventResource, path: string): Markup {
  const { at, action, outcome, reason, actor, target } = event;
  return html`<tr><td class="time"><time datetime="${at}">${at.slice(0, 10)}<br>${at.slice(11, 19)}</time></td><td>${renderActor(actor, path)}</td><th scope="row"><code>${action}</code>${
    outcome === 'success'
      ? null
      : html`<br><span class="state ${outcome === 'refused' ? 'wait' : 'bad'}">${outcome === 'refused' ? 'Refused' : 'Failed'}</span>`
  }</th><td>${target === undefined ? null : renderTarget(target, path)}</td><td class="reason">${
    reason === undefined ? null : html`<p>${reason}</p>`
  }${renderChanges(event)}</td></tr>
`;
}

function renderActor(actor: AuditEventResource['actor'], path: string): Markup {
  const { kind, id, name, address, userAgent, token } = actor;
  const words = {
    user: 'a user',
    provider: 'identity provider',
    server: 'this server',
    nobody: 'nobody signed in',
  };
  const from = [address, userAgent === undefined ? undefined : describeBrowser(userAgent)];
  return html`${filterLink(path, 'actor', id, name ?? words[kind])}${
    kind === 'user' || name === null ? null : html` <span class="soft">(${words[kind]})</span>`
  }<br><span class="small soft"${userAgent === undefined ? null : html` title="${userAgent}"`}>${from.filter((part) => part !== undefined).join(', ')}${token === undefined ? null : html`<br>with the token ${token}`}</span>`;
}

function renderTarget({ kind, id, name }: NonNullable<AuditEventResource['target']>, path: string): Markup {
  return html`<span class="soft">${kind}</span><br>${filterLink(path, 'target', id, name ?? id ?? '')}`;
}

function filterLink(path: string, filter: 'actor' | 'target', id: string | null, words: string): Markup {
  return id === null
    ? html`${words}`
    : html`<a href="${path}?${new URLSearchParams({ [filter]: id }).toString()}">${words}</a>`;
}

function renderChanges({ before, after }: AuditEventResource): Markup | null {
  const changes = describeChanges(before ?? {}, after ?? {});
  if (changes.length === 0) return null;
  return html`<ul class="plain changes">
${changes.map(
  ({ field, from, to }) =>
    html`<li>${field}: ${from === null ? null : html`<del>${from}</del>`}${from !== null && to !== null ? ' → ' : null}${to === null ? null : html`<ins>${to}</ins>`}</li>
`,
)}</ul>`;
}
