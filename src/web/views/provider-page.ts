import type { Organization, Team } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { providerPath } from '../addresses.ts';
import { renderOrganizationPage } from './organization-frame.ts';
import { roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { textInput } from './text-input.ts';

/** What the page of a provider shows, whatever protocol it speaks. */
export interface ProviderPage<Provider, Form> {
  readonly organization: Organization;
  readonly provider: Provider;
  /** Those that people can come into who come for the first time. */
  readonly teams: readonly Team[];
  readonly form: Form;
  readonly problem: { readonly field: string | null; readonly sentence: string } | null;
  readonly news: string | null;
  readonly user: { readonly displayName: string };
}

/** What the page of its last test shows. */
export interface ProviderTestPage<Provider, Test> {
  readonly organization: Organization;
  readonly provider: Provider;
  /** Null when this user began none within the last hour. */
  readonly test: Test | null;
  readonly now: Date;
  readonly user: { readonly displayName: string };
}

/** What people get who come for the first time. */
export interface NewcomerForm {
  readonly defaultRole: string;
  /** Empty for none. */
  readonly defaultTeam: string;
}

/** Whether somebody signed in through it, and whether anybody could. */
export function renderProviderState(status: 'pending' | 'active', isComplete: boolean): Markup {
  if (status === 'active') return html`<span class="state good">Active</span>`;
  return html`<span class="state wait">${isComplete ? 'Not used yet' : 'Not set up'}</span>`;
}

function newcomerInputs(
  form: NewcomerForm,
  teams: readonly Team[],
  problemOf: (field: string) => string | null,
): Markup {
  return html`${selectInput({
    id: 'docloom-default-role',
    name: 'defaultRole',
    label: 'Role of people who come for the first time',
    options: roleOptions(true),
    selected: form.defaultRole,
    hint: 'The role of members stays as it is.',
    problem: problemOf('defaultRole'),
  })}
${selectInput({
  id: 'docloom-default-team',
  name: 'defaultTeam',
  label: 'Team of people who come for the first time',
  options: [{ value: '', label: 'None' }, ...teams.map(({ id, title }) => ({ value: id, label: title }))],
  selected: form.defaultTeam,
  problem: problemOf('defaultTeam'),
})}`;
}

/** What differs between the pages of providers of two protocols. */
export interface ProviderPageParts {
  readonly kind: 'oidc' | 'saml';
  readonly state: Markup;
  /** What to enter at the provider. */
  readonly first: Markup;
  /** What fields are called there: a row for each, with a cell for each of {@link VENDORS}. */
  readonly vendorNames: Markup;
  /** The inputs of the form that only this protocol has, each with the problem of its field. */
  readonly inputs: (problemOf: (field: string) => string | null) => Markup;
}

/** One provider: what to enter there, what to enter here, a test, and its removal. */
export function renderProviderPage<
  Provider extends { readonly id: string; readonly label: string },
  Form extends NewcomerForm & { readonly label: string },
>(page: ProviderPage<Provider, Form>, parts: ProviderPageParts): string {
  const { organization, provider, teams, form, problem, news, user } = page;
  const path = providerPath(parts.kind, organization.id, provider.id);
  const problemOf = (field: string) => (problem?.field === field ? problem.sentence : null);
  return renderOrganizationPage({
    organization,
    section: 'sso',
    title: provider.label,
    user,
    news,
    problem: problem?.field === null ? problem.sentence : null,
    main: html`<div class="reading">
<p>${parts.state}</p>
${parts.first}
${renderVendorNames(parts.vendorNames)}
<form method="post" action="${path}" class="card after">
<h2>2. Enter the provider’s values</h2>
${textInput({
  id: 'docloom-label',
  name: 'label',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  maxLength: 30,
  value: form.label,
  problem: problemOf('label'),
})}
${parts.inputs(problemOf)}
${newcomerInputs(form, teams, problemOf)}
<button type="submit">Save</button>
</form>
<h2>3. Test it</h2>
<p>A test begins a sign-in in which nobody is signed in, and shows what the provider sent and, if it would be refused, why.</p>
<p class="buttons"><a class="button" href="${path}/test/start">Test</a><a href="${path}/test">The last test</a></p>
<h2>Remove it</h2>
<p><a class="button quiet" href="${path}/remove">Remove ${provider.label}…</a></p>
</div>`,
  });
}

const VENDORS = ['Okta', 'Entra ID', 'Google Workspace', 'Keycloak'];

/** What the fields are called where they are entered, so that nobody needs another page open. */
function renderVendorNames(rows: Markup): Markup {
  return html`<details><summary>What they are called at Okta, Entra ID, Google Workspace and Keycloak</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Names of the fields"><table class="roomy">
<thead><tr><th scope="col">Here</th>${VENDORS.map((vendor) => html`<th scope="col">${vendor}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody></table></div>
<p class="small soft">The steps at each are in the documentation, in <code>docs/single-sign-on.md</code>.</p></details>`;
}
