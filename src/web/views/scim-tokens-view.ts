import type { MemberToken, NewApiToken, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { scimTokensPath, ssoPath } from '../addresses.ts';
import { formatAhead, formatMoment } from '../format.ts';
import { renderTable } from './data-table.ts';
import { renderFacts } from './facts.ts';
import { renderMore } from './more-link.ts';
import { expiryInput, newTokenField } from './new-token-view.ts';
import { renderOrganizationPage } from './organization-frame.ts';
import { textInput } from './text-input.ts';

/** What the form for a new token contains. */
export interface ScimTokenForm {
  readonly name: string;
  /** In days from now. */
  readonly days: string;
}

export const EMPTY_SCIM_TOKEN_FORM: ScimTokenForm = { name: '', days: '365' };

/** What keeps the users and teams of an organization up to date: the address to enter at the provider, and its tokens. */
export interface Provisioning {
  readonly baseURL: string;
  readonly tokens: readonly MemberToken[];
  readonly moreTokens: string | null;
  readonly form: ScimTokenForm;
  readonly problem: { readonly field: string | null; readonly sentence: string } | null;
  readonly now: Date;
}

export function renderProvisioning({ id }: Organization, provisioning: Provisioning): Markup {
  const { baseURL, tokens, moreTokens, form, problem, now } = provisioning;
  const problemOf = (field: string) => (problem?.field === field ? problem.sentence : null);
  return html`${renderTable({
    id: 'docloom-scim',
    title: 'Provisioning by SCIM 2.0',
    columns: ['Token', 'Begins with', 'Made by', 'Last used', 'Expires', 'Revoke'],
    rows: tokens.map((token) => renderRow(id, token, now)),
    empty: 'There is no token for provisioning yet.',
  })}
${renderMore(moreTokens, 'More tokens')}
<div class="reading after">
<p>The provider keeps users and teams up to date by itself: whoever loses the application there is out at once, and groups become teams. It provisions only people with addresses of proved domains.</p>
${renderBaseURL(baseURL)}
</div>
<form method="post" action="${scimTokensPath(id)}" class="card reading after" id="docloom-new-scim-token">
<h3>New token for provisioning</h3>
${textInput({
  id: 'docloom-scim-name',
  name: 'name',
  label: 'Name of the token',
  type: 'text',
  autocomplete: 'off',
  maxLength: 256,
  value: form.name,
  hint: 'The provider that gets it, for example Okta.',
  problem: problemOf('name'),
})}
${expiryInput({
  id: 'docloom-scim-days',
  selected: form.days,
  hint: 'Provisioning stops then, and when you are no administrator any more.',
  problem: problemOf('expiresAt'),
})}
<button type="submit">Create the token</button>
</form>`;
}

function renderBaseURL(baseURL: string): Markup {
  return renderFacts([
    [
      'Base URL',
      html`<code class="copy">${baseURL}</code>`,
      'Also called SCIM connector base URL or tenant URL. Enter it at the provider, with a token as bearer.',
    ],
  ]);
}

function renderRow(organizationId: string, token: MemberToken, now: Date): Markup {
  const { id, name, prefix, user, lastUsedAt, expiresAt } = token;
  const isOver = Date.parse(expiresAt) <= now.getTime();
  return html`<tr><th scope="row">${name}</th><td>${prefix === undefined ? '' : html`<code>${prefix}…</code>`}</td><td>${user.displayName}</td><td class="time">${lastUsedAt === undefined ? html`<span class="soft">never</span>` : formatMoment(lastUsedAt, now)}</td><td class="time">${isOver ? html`<span class="state bad">Expired</span>` : formatAhead(expiresAt, now)}</td><td><a href="${scimTokensPath(organizationId, id)}/revoke">Revoke…<span class="visually-hidden"> ${name}</span></a></td></tr>
`;
}

/** A new token, shown this once. */
export function renderNewScimToken(options: {
  readonly organization: Organization;
  readonly token: NewApiToken;
  readonly baseURL: string;
  readonly now: Date;
  readonly user: { readonly displayName: string };
}): string {
  const { organization, token, baseURL, now, user } = options;
  return renderOrganizationPage({
    organization,
    section: 'sso',
    title: `The token ${token.name}`,
    user,
    main: html`<div class="reading">
${newTokenField(token, 'The provider sends it as', now)}
${renderBaseURL(baseURL)}
<p><a class="button" href="${ssoPath(organization.id)}">Done</a></p>
</div>`,
  });
}
