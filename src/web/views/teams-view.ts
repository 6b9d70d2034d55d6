import type { Organization, Role, Team, TeamMember } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { plural } from '../format.ts';
import { renderButton } from './action-button.ts';
import { renderTable } from './data-table.ts';
import { memberPath } from './members-view.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { type Candidates, invitesOf, renderPicker } from './subject-picker.ts';
import { textInput } from './text-input.ts';

type User = { readonly displayName: string };

export function teamPath(organizationId: string, teamId: string, action = ''): string {
  return organizationPath(
    organizationId,
    `teams/${encodeURIComponent(teamId)}${action === '' ? '' : `/${action}`}`,
  );
}

/** The teams of an organization. */
export function renderTeams(
  options: PageNews & {
    readonly organization: Organization;
    readonly teams: readonly Team[];
    readonly count: number;
    readonly search: string;
    readonly more: string | null;
    readonly title: string;
    readonly user: User;
  },
): string {
  const { organization, teams, count, search } = options;
  const path = organizationPath(organization.id, 'teams');
  return renderOrganizationPage({
    organization,
    section: 'teams',
    user: options.user,
    news: options.news ?? null,
    problem: options.problem ?? null,
    main: html`<form role="search" aria-label="Teams" action="${path}" class="filter">
<div class="field"><label for="docloom-team-search">Name</label>
<input id="docloom-team-search" name="search" type="search" value="${search}" maxlength="64" autocomplete="off"></div>
<button type="submit" class="quiet">Search</button>
</form>
${renderTable({
  id: 'docloom-teams',
  title: plural(count, 'team'),
  columns: ['Team', 'Members', 'Spaces that its grants open'],
  rows: teams.map(
    (team) =>
      html`<tr><th scope="row"><a href="${teamPath(organization.id, team.id)}">${team.title}</a></th><td class="number">${team.members}</td><td class="number">${team.spaces}</td></tr>
`,
  ),
  empty: search === '' ? 'There is no team yet.' : 'No team matches.',
})}
${renderMore(options.more, 'More teams')}
${organization.permissions.admin ? titleForm({ action: path, heading: 'New team', title: options.title, button: 'Create the team' }) : null}`,
  });
}

function titleForm(form: {
  readonly action: string;
  readonly heading: string;
  readonly title: string;
  readonly button: string;
}): Markup {
  return html`<form method="post" action="${form.action}" class="card reading after">
<h2>${form.heading}</h2>
${textInput({
  id: 'docloom-title',
  name: 'title',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  maxLength: 64,
  value: form.title,
})}
<button type="submit">${form.button}</button>
</form>`;
}

export interface TeamPage extends PageNews {
  readonly organization: Organization;
  readonly team: Team;
  /** Null for readers who may not see who else is in it. */
  readonly members: readonly TeamMember[] | null;
  readonly more: string | null;
  /** What it was granted in the whole organization; undefined for readers who may not know. */
  readonly granted: Role | null | undefined;
  /** Who could be added. */
  readonly candidates: Candidates | null;
  readonly user: User;
}

/** A team: who is in it, and for those who manage it, what can be changed. */
export function renderTeam(page: TeamPage): string {
  const { organization, team, members, granted } = page;
  const isManaged = team.permissions.admin;
  return renderOrganizationPage({
    ...page,
    section: 'teams',
    title: team.title,
    main: html`<p class="lead">${plural(team.members, 'member')}; its grants open ${plural(team.spaces, 'space')}.</p>
${
  members === null
    ? null
    : renderTable({
        id: 'docloom-team-members',
        title: 'Members',
        columns: isManaged ? ['Name', 'Role in the team', 'Change'] : ['Name', 'Role in the team'],
        rows: members.map((member) => memberRow(page, member)),
        empty: 'Nobody is in this team yet.',
      })
}
${renderMore(page.more, 'More members')}
${isManaged && page.candidates !== null ? addForm(page, page.candidates) : null}
${granted === undefined ? null : grantForm(page, granted)}
${isManaged ? titleForm({ action: teamPath(organization.id, team.id, 'title'), heading: 'Name', title: team.title, button: 'Rename' }) : null}
${isManaged ? html`<p><a class="button quiet" href="${teamPath(organization.id, team.id, 'remove')}">Delete this team…</a></p>` : null}`,
  });
}

function memberRow(
  { organization, team }: TeamPage,
  { organization: member, team: { role } }: TeamMember,
): Markup {
  const { id, user } = member;
  const name = organization.permissions.listMembers
    ? html`<a href="${memberPath(organization.id, id)}">${user.displayName}</a>`
    : user.displayName;
  const to = (action: string) =>
    teamPath(organization.id, team.id, `members/${encodeURIComponent(id)}/${action}`);
  const cell = html`<td><div class="buttons">${renderButton(to(role === 'owner' ? 'member' : 'owner'), role === 'owner' ? 'Make a plain member' : 'Make an owner', user.displayName)}${renderButton(to('remove'), 'Remove', user.displayName)}</div></td>`;
  return html`<tr><th scope="row">${name}${user.email === undefined ? null : html`<br><span class="small soft">${user.email}</span>`}</th><td>${role}</td>${team.permissions.admin ? cell : null}</tr>
`;
}

function addForm({ organization, team }: TeamPage, candidates: Candidates): Markup {
  const path = teamPath(organization.id, team.id);
  return html`<section class="card reading after" aria-labelledby="docloom-add"><h2 id="docloom-add">Add a member</h2>
${renderPicker({ candidates, page: path, action: teamPath(organization.id, team.id, 'members'), button: 'Add to the team', invite: invitesOf(organization), extra: null })}
</section>`;
}

function grantForm({ organization, team }: TeamPage, granted: Role | null): Markup {
  if (!organization.permissions.admin)
    return html`<p class="after">Granted in the whole organization: ${granted ?? 'nothing'}.</p>`;
  return html`<form method="post" action="${teamPath(organization.id, team.id, 'grant')}" class="card reading after">
<h2>Role in the whole organization</h2>
${selectInput({
  id: 'docloom-grant',
  name: 'role',
  label: 'What everybody in the team may do, besides their own role',
  options: [{ value: '', label: 'nothing more' }, ...roleOptions(false)],
  selected: granted ?? '',
  hint: 'Roles in single spaces and collections are granted on their own pages, under “Who has access”.',
})}
<button type="submit">Save</button>
</form>`;
}
