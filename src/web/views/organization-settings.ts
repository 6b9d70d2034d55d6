import type { Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { nameRole, roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { textInput } from './text-input.ts';

/** What administrators change of an organization. */
export function renderSettings(
  options: PageNews & {
    readonly organization: Organization;
    readonly user: { readonly displayName: string };
  },
): string {
  const { organization } = options;
  return renderOrganizationPage({
    ...options,
    section: 'settings',
    main: html`<div class="reading">
${generalForm(organization)}
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
