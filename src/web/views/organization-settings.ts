import type { ModelUsage, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { formatAhead, formatNumber, plural } from '../format.ts';
import { renderFacts } from './facts.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { nameRole, roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { textInput } from './text-input.ts';

/** What administrators change of an organization. */
export function renderSettings(
  options: PageNews & {
    readonly organization: Organization;
    readonly usage: ModelUsage;
    readonly user: { readonly displayName: string };
    readonly now: Date;
  },
): string {
  const { organization, usage, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'settings',
    main: html`<div class="reading">
${generalForm(organization)}
${renderModelUsage(usage, now)}
</div>`,
  });
}

function generalForm({ id, title, defaultRole, inviteLinks, emailDomains, ai }: Organization): Markup {
  return html`<form method="post" action="${organizationPath(id, 'settings')}" class="card">
<h2>The organization</h2>
${textInput({
  id: 'docloom-title',
  name: 'title',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  maxLength: 256,
  value: title,
})}
${selectInput({
  id: 'docloom-default-role',
  name: 'defaultRole',
  label: 'Role of people who join by the domain of their e-mail address',
  options: roleOptions(true),
  selected: nameRole(defaultRole),
  hint:
    emailDomains.length === 0
      ? 'No domain is set, so nobody joins this way.'
      : `Whoever has a confirmed address of these domains may join: ${emailDomains.join(', ')}.`,
})}
<fieldset>
<legend>Invitations</legend>
<div class="choice"><input type="checkbox" id="docloom-invite-links" name="inviteLinks" value="on"${inviteLinks ? html` checked` : null}>
<div><label for="docloom-invite-links">Links with which people join</label>
<p class="hint">Whoever has such a link becomes a member. Turned off, all links stop at once; turned on again, those work that were neither revoked nor expired.</p></div></div>
</fieldset>
<fieldset>
<legend>Language model</legend>
<div class="choice"><input type="checkbox" id="docloom-ai" name="ai" value="on"${ai ? html` checked` : null}>
<div><label for="docloom-ai">A language model may compose answers and name what people ask</label>
<p class="hint">Sections of pages, questions and conversations are sent to the model that this server is set up with. Turned off, or without one, answers are sections word for word.</p></div></div>
</fieldset>
<button type="submit">Save</button>
</form>`;
}

/** What the language model did today; without one, how there would be one. */
function renderModelUsage(usage: ModelUsage, now: Date): Markup {
  const { model, total, server, resetsAt } = usage;
  if (model === undefined)
    return html`<section class="card" id="docloom-model"><h2>The language model today</h2>
<p class="soft">This server has no model, and everything works without one. Whoever runs it sets one up with <code>OPENAI_URL</code> and <code>OPENAI_MODEL</code>.</p></section>`;
  const usedFor = ({ tokens, calls }: ModelUsage['total']) =>
    calls === 0 ? 'Nothing' : `${plural(tokens, 'token')}, in ${plural(calls, 'request')}`;
  const isUsedUp = server.tokens >= server.limit;
  return html`<section class="card" id="docloom-model"><h2>The language model today</h2>
${renderFacts([
  ['Model', model],
  ['Answers', usedFor(usage.answers)],
  ['What people ask', usedFor(usage.conversations)],
  ['Translations', usedFor(usage.translations)],
  ['Together', usedFor(total)],
  [
    'This server',
    html`${formatNumber(server.tokens)} of ${plural(server.limit, 'token')}${isUsedUp ? html` <span class="state wait">Used up</span>` : null}`,
    'The limit is for all organizations here. Readers of sites, and work for which nobody waits, leave 30% of it to the team.',
  ],
  ['Starts anew', html`${formatAhead(resetsAt, now)}, at midnight in UTC`],
])}</section>`;
}
