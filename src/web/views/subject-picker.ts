import type { Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';

/** Members and teams to choose from. */
export interface Candidates {
  /** What somebody looked for; empty at first. */
  readonly find: string;
  readonly members: readonly { readonly id: string; readonly label: string }[];
  readonly teams: readonly { readonly id: string; readonly label: string }[];
  /** Whether there are more than are listed. */
  readonly isPart: boolean;
}

/** A form that takes a member or a team, and above it, where there are many, one that looks for them. */
export function renderPicker(options: {
  readonly candidates: Candidates;
  /** The page that lists what was looked for. */
  readonly page: string;
  readonly action: string;
  readonly button: string;
  /** Where somebody is invited who is not there yet; null for readers who may not. */
  readonly invite: string | null;
  /** Further fields. */
  readonly extra: Markup | null;
}): Markup {
  const { candidates, page, action, button, invite, extra } = options;
  const { find, members, teams, isPart } = candidates;
  const none = members.length + teams.length === 0;
  const what = teams.length > 0 ? 'Member or team' : 'Member';
  return html`${
    isPart || find !== ''
      ? html`<form role="search" aria-label="Somebody" action="${page}#docloom-add" class="filter"><div class="field"><label for="docloom-find">Look for somebody</label>
<input id="docloom-find" name="find" type="search" value="${find}" maxlength="64" autocomplete="off"></div><button type="submit" class="quiet">Search</button></form>`
      : null
  }
${
  none
    ? html`<p class="soft">${find === '' ? 'Nobody else is here yet.' : 'Nobody matches.'}${invite === null ? null : html` <a href="${invite}">Invite somebody</a>`}</p>`
    : html`<form method="post" action="${action}">
<div class="field"><label for="docloom-subject">${what}</label>
<select id="docloom-subject" name="subject">
${teams.length === 0 ? null : html`<optgroup label="Teams">${teams.map(({ id, label }) => html`<option value="team:${id}">${label}</option>`)}</optgroup>`}
${members.length === 0 ? null : html`<optgroup label="Members">${members.map(({ id, label }) => html`<option value="user:${id}">${label}</option>`)}</optgroup>`}
</select></div>
${extra}
<button type="submit">${button}</button>
</form>`
}`;
}

/** Where the reader invites people into an organization; null for readers who may not. */
export function invitesOf(organization: Pick<Organization, 'id' | 'permissions'> | null): string | null {
  return organization?.permissions.admin === true ? organizationPath(organization.id, 'invites') : null;
}
