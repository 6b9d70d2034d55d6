import type { Member, MemberAccess, Organization, Role, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath, spacePath } from '../addresses.ts';
import { formatMoment, plural } from '../format.ts';
import { renderAccess } from './access-view.ts';
import { renderButton } from './action-button.ts';
import { renderTable } from './data-table.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { nameRole, roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { emailInput } from './sign-in-view.ts';
import { textInput } from './text-input.ts';

type User = { readonly displayName: string };

export function memberPath(organizationId: string, userId: string, action = ''): string {
  return organizationPath(
    organizationId,
    `members/${encodeURIComponent(userId)}${action === '' ? '' : `/${action}`}`,
  );
}

/** What somebody looks for among the members. */
export interface MemberFilter {
  readonly search: string;
  /** Empty for every role. */
  readonly role: Role | '';
}

/** What was entered to add a member. */
export interface NewMemberForm {
  readonly email: string;
  readonly displayName: string;
  readonly role: string;
}
export const EMPTY_MEMBER_FORM: NewMemberForm = { email: '', displayName: '', role: 'read' };

/** The members of an organization. */
export function renderMembers(
  options: PageNews & {
    readonly organization: Organization;
    readonly members: readonly Member[];
    /** How many match in total. */
    readonly count: number;
    readonly filter: MemberFilter;
    readonly more: string | null;
    readonly form: NewMemberForm;
    readonly now: Date;
    readonly user: User;
  },
): string {
  const { organization, members, count, filter, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'members',
    main: html`${searchForm(organization.id, filter)}
${renderTable({
  id: 'docloom-members',
  title: plural(count, 'member'),
  columns: ['Name', 'Role', 'State', 'Last seen', 'May see', 'Teams'],
  rows: members.map((member) => renderRow(organization.id, member, now)),
  empty: 'Nobody matches.',
})}
${renderMore(options.more, 'More members')}
${organization.permissions.admin ? addForm(organization, options.form) : null}`,
  });
}

function searchForm(organizationId: string, { search, role }: MemberFilter): Markup {
  return html`<form role="search" aria-label="Members" action="${organizationPath(organizationId, 'members')}" class="filter">
<div class="field"><label for="docloom-member-search">Name or address</label>
<input id="docloom-member-search" name="search" type="search" value="${search}" maxlength="256" autocomplete="off"></div>
${selectInput({
  id: 'docloom-role-filter',
  name: 'role',
  label: 'Role',
  options: [
    { value: '', label: 'any role' },
    ...roleOptions(false).map(({ value }) => ({ value, label: value })),
  ],
  selected: role,
})}
<button type="submit" class="quiet">Search</button>
</form>`;
}

function renderRow(organizationId: string, member: Member, now: Date): Markup {
  const { user, role, lastSeenAt, spaces, teams } = member;
  return html`<tr><th scope="row"><a href="${memberPath(organizationId, member.id)}">${user.displayName}</a>${user.email === undefined ? null : html`<br><span class="small soft">${user.email}</span>`}</th><td>${nameRole(role)}</td><td>${renderState(member)}</td><td class="time">${lastSeenAt === undefined ? 'never' : formatMoment(lastSeenAt, now)}</td><td class="number">${plural(spaces, 'space')}</td><td class="number">${teams}</td></tr>
`;
}

function renderState({ disabled, sso }: Member): Markup {
  return disabled
    ? html`<span class="state bad">Disabled</span>`
    : html`<span class="state good">Active</span>${sso ? html` <span class="small soft">single sign-on only</span>` : null}`;
}

function addForm({ id }: Organization, { email, displayName, role }: NewMemberForm): Markup {
  return html`<form method="post" action="${organizationPath(id, 'members')}" class="card reading after">
<h2>Add somebody without an invitation</h2>
<p>Only with an address in a domain that the organization has proved to be its own. <a href="${organizationPath(id, 'invites')}">Invite</a> everybody else.</p>
${emailInput({ value: email })}
${textInput({
  id: 'docloom-name',
  name: 'displayName',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  maxLength: 100,
  value: displayName,
  hint: 'Used if there is no account with this address yet.',
  isOptional: true,
})}
${selectInput({ id: 'docloom-role', name: 'role', label: 'Role', options: roleOptions(true), selected: role })}
<button type="submit">Add</button>
</form>`;
}

export interface MemberPage extends PageNews {
  readonly organization: Organization;
  readonly member: Member;
  /** Why they may do what they may do, in the organization or in a space; null for readers who may not know. */
  readonly access: { readonly explained: MemberAccess; readonly space: Space | null } | null;
  readonly spaces: readonly { readonly permission: Role | null; readonly space: Space }[];
  readonly moreSpaces: string | null;
  readonly teams: readonly { readonly id: string; readonly title: string; readonly role: string }[];
  readonly now: Date;
  readonly user: User;
}

/** A member: who they are, what they may do and why, and for administrators what can be changed. */
export function renderMember(page: MemberPage): string {
  const { organization, member, access, now } = page;
  const { user, joinedAt, lastSeenAt } = member;
  return renderOrganizationPage({
    ...page,
    section: 'members',
    title: user.displayName,
    main: html`<p class="lead">${user.email ?? null} ${renderState(member)}</p>
<p class="soft">${nameRole(member.role)}, joined ${formatMoment(joinedAt, now)}, ${lastSeenAt === undefined ? 'never seen' : html`last seen ${formatMoment(lastSeenAt, now)}`}.</p>
${organization.permissions.admin ? renderChanges(page) : null}
${
  access === null
    ? null
    : html`<section class="reading" aria-labelledby="docloom-why"><h2 id="docloom-why">Why they have access${access.space === null ? ' to the organization' : html` to ${access.space.title}`}</h2>
${renderAccess(access.explained, user.displayName)}</section>`
}
${renderSpaces(page)}
${renderTeamList(page)}`,
  });
}

function renderChanges({ organization, member }: MemberPage): Markup {
  const to = (action: string) => memberPath(organization.id, member.id, action);
  const name = member.user.displayName;
  return html`<form method="post" action="${to('role')}" class="card reading">
<h2>Role in the organization</h2>
${selectInput({
  id: 'docloom-role',
  name: 'role',
  label: 'Role',
  options: roleOptions(true),
  selected: nameRole(member.role),
})}
<button type="submit">Change the role</button>
</form>
<section class="card reading account-part" aria-labelledby="docloom-membership"><h2 id="docloom-membership">Membership</h2>
<p>${
    member.disabled
      ? 'Disabled: no access to anything of the organization. Teams, grants and the role are kept.'
      : 'Disabling takes all access away at once, and keeps teams, grants and the role for later. Removing takes those, too.'
  }</p>
<div class="buttons">
${renderButton(to(member.disabled ? 'enable' : 'disable'), member.disabled ? 'Enable' : 'Disable', name)}
${renderButton(to(member.sso ? 'any-sign-in' : 'sso-only'), member.sso ? 'Allow every sign-in' : 'Allow single sign-on only', name)}
${renderButton(to('end-sessions'), 'End sessions', name)}
<a class="button quiet" href="${to('remove')}">Remove…</a>
</div></section>`;
}

function renderSpaces({ organization, member, spaces, moreSpaces, access }: MemberPage): Markup {
  return html`${renderTable({
    id: 'docloom-member-spaces',
    title: 'Spaces that they may see',
    columns: ['Space', 'Role', 'Why'],
    rows: spaces.map(
      ({ permission, space }) =>
        html`<tr><th scope="row"><a href="${spacePath(space.id)}">${space.title}</a></th><td>${permission ?? 'visitor'}</td><td>${access === null ? null : html`<a href="${memberPath(organization.id, member.id)}?space=${encodeURIComponent(space.id)}#docloom-why">Why<span class="visually-hidden"> ${space.title}</span></a>`}</td></tr>
`,
    ),
    empty: 'None.',
  })}
${renderMore(moreSpaces, 'More spaces')}`;
}

function renderTeamList({ organization, teams }: MemberPage): Markup {
  return renderTable({
    id: 'docloom-member-teams',
    title: 'Teams',
    columns: ['Team', 'Role in it'],
    rows: teams.map(
      ({ id, title, role }) =>
        html`<tr><th scope="row"><a href="${organizationPath(organization.id, `teams/${encodeURIComponent(id)}`)}">${title}</a></th><td>${role}</td></tr>
`,
    ),
    empty: 'In no team.',
  });
}
