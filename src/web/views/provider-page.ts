import type { Organization, Team } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';

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

export function newcomerInputs(
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

/** The parts of a provider's page that follow its values. */
export function renderTestAndRemoval(path: string, label: string): Markup {
  return html`<h2>3. Test it</h2>
<p>A test begins a sign-in in which nobody is signed in, and shows what the provider sent and, if it would be refused, why.</p>
<p class="buttons"><a class="button" href="${path}/test/start">Test</a><a href="${path}/test">The last test</a></p>
<h2>Remove it</h2>
<p><a class="button quiet" href="${path}/remove">Remove ${label}…</a></p>`;
}
