import type { ApiToken, NewApiToken, Role } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { ACCOUNT_PATHS } from '../addresses.ts';
import { formatAhead, formatMoment } from '../format.ts';
import { renderLayout } from '../layout.ts';
import { renderAccountTabs } from './account-tabs.ts';
import { renderTable } from './data-table.ts';
import { renderMore } from './more-link.ts';
import { expiryInput, newTokenField } from './new-token-view.ts';
import { selectInput } from './select-input.ts';
import { textInput } from './text-input.ts';

type User = { readonly displayName: string };

interface Organization {
  readonly id: string;
  readonly title: string;
}

/** What the form for a new token contains. */
export interface TokenForm {
  readonly name: string;
  /** In days from now. */
  readonly days: string;
  readonly role: string;
  /** Empty for all organizations. */
  readonly organization: string;
}

export const EMPTY_TOKEN_FORM: TokenForm = { name: '', days: '30', role: 'read', organization: '' };

/** What each role adds, for people who choose one. */
const ROLES: readonly (readonly [Role, string])[] = [
  ['read', 'read'],
  ['comment', 'comment: and take part in discussions'],
  ['edit', 'edit: and write change requests'],
  ['review', 'review: and merge change requests'],
  ['create', 'create: and create spaces, import and export'],
  ['admin', 'admin: all that you may do'],
];

/** One's own API tokens, and the form for a new one. */
export function renderTokens(options: {
  readonly tokens: readonly ApiToken[];
  /** Those that the user may bind a token to, and whose names are shown. */
  readonly organizations: readonly Organization[];
  readonly more: string | null;
  readonly form: TokenForm;
  readonly problem: { readonly field: string | null; readonly sentence: string } | null;
  readonly news: string | null;
  readonly now: Date;
  readonly user: User;
}): string {
  const { tokens, organizations, now, news, more, problem } = options;
  const titles = new Map(organizations.map(({ id, title }) => [id, title]));
  return renderLayout({
    title: 'API tokens',
    user: options.user,
    main: html`<h1>Your account</h1>
${renderAccountTabs(ACCOUNT_PATHS.tokens)}
${news === null ? null : html`<p class="notice good" role="status">${news}</p>`}
${problem !== null && problem.field === null ? html`<p class="notice bad" role="alert">${problem.sentence}</p>` : null}
<p class="lead">With an API token a program does what you may do, at most what its role allows.</p>
${renderTable({
  id: 'docloom-tokens',
  title: 'API tokens',
  columns: ['Name', 'Begins with', 'Role', 'Organization', 'Last used', 'Expires', 'Revoke'],
  rows: tokens.map((token) => renderRow(token, titles, now)),
  empty: 'You have no API token.',
})}
${renderMore(more, 'More tokens')}
${renderForm(options)}`,
  });
}

function renderRow(token: ApiToken, titles: ReadonlyMap<string, string>, now: Date): Markup {
  const { id, name, prefix, scope, role, organization, lastUsedAt, expiresAt } = token;
  const isOver = Date.parse(expiresAt) <= now.getTime();
  return html`<tr><th scope="row">${name}</th><td>${prefix === undefined ? '' : html`<code>${prefix}…</code>`}</td><td>${scope === 'scim' ? 'provisioning' : (role ?? 'any')}</td><td>${organization === undefined ? 'All' : (titles.get(organization) ?? organization)}</td><td class="time">${lastUsedAt === undefined ? html`<span class="soft">never</span>` : formatMoment(lastUsedAt, now)}</td><td class="time">${isOver ? html`<span class="state bad">Expired</span>` : formatAhead(expiresAt, now)}</td><td><form method="post" action="${ACCOUNT_PATHS.revokeToken}"><input type="hidden" name="id" value="${id}"><button class="quiet" type="submit">Revoke<span class="visually-hidden"> ${name}</span></button></form></td></tr>
`;
}

function renderForm(options: Parameters<typeof renderTokens>[0]): Markup {
  const { form, problem, organizations } = options;
  const problemOf = (field: string) => (problem?.field === field ? problem.sentence : null);
  return html`<form method="post" action="${ACCOUNT_PATHS.tokens}" class="card reading after" id="docloom-new-token">
<h2>New token</h2>
${textInput({
  id: 'docloom-token-name',
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  maxLength: 256,
  value: form.name,
  hint: 'What it is for, so that you know it again.',
  problem: problemOf('name'),
})}
${expiryInput({ id: 'docloom-token-days', selected: form.days, problem: problemOf('expiresAt') })}
${selectInput({
  id: 'docloom-token-role',
  name: 'role',
  label: 'Role',
  options: ROLES.map(([value, label]) => ({ value, label })),
  selected: form.role,
  hint: 'The most that it may do, wherever you may do more.',
  problem: problemOf('role'),
})}
${selectInput({
  id: 'docloom-token-organization',
  name: 'organization',
  label: 'Organization',
  options: [
    { value: '', label: 'All of yours' },
    ...organizations.map(({ id, title }) => ({ value: id, label: `Only ${title}` })),
  ],
  selected: form.organization,
  problem: problemOf('organization'),
})}
<button type="submit">Create the token</button>
</form>`;
}

/** A new token, shown this once. */
export function renderNewToken(options: {
  readonly token: NewApiToken;
  readonly now: Date;
  readonly user: User;
}): string {
  const { token, now } = options;
  return renderLayout({
    title: 'New API token',
    user: options.user,
    main: html`<div class="reading">
<h1>The token ${token.name}</h1>
${newTokenField(token, 'Programs send it as', now)}
<p><a class="button" href="${ACCOUNT_PATHS.tokens}">Done</a></p>
</div>`,
  });
}
