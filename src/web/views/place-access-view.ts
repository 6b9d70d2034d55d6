import type { Organization, Space, TeamPermission, UserPermission } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { accessPath } from '../addresses.ts';
import { renderTable } from './data-table.ts';
import { memberPath } from './members-view.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { renderSpacePage } from './space-frame.ts';
import { type Candidates, invitesOf, renderPicker } from './subject-picker.ts';
import { teamPath } from './teams-view.ts';

/** A space or a collection, as far as access to it is concerned. */
export interface Place {
  readonly kind: 'space' | 'collection';
  readonly id: string;
  readonly title: string;
  readonly organizationId: string;
  readonly defaultLevel: Space['defaultLevel'];
  /** Of a space. */
  readonly visibility: Space['visibility'] | null;
  /** The collection that it is in, if the reader sees that. */
  readonly parent: { readonly id: string; readonly title: string } | null;
  readonly isAdministered: boolean;
}

interface Part<T> {
  readonly items: readonly T[];
  readonly count: number;
  readonly more: string | null;
}

export interface PlaceAccess extends PageNews {
  readonly place: Place;
  /** Null for a collection. */
  readonly space: Space | null;
  readonly organization: Organization;
  readonly users: Part<UserPermission>;
  readonly teams: Part<TeamPermission>;
  readonly everybody: Part<UserPermission>;
  /** Whether the reader opens pages of members and teams. */
  readonly listsMembers: boolean;
  /** To whom a role can be granted; null for readers who may not. */
  readonly candidates: Candidates | null;
  readonly role: string;
  readonly user: { readonly displayName: string };
}

/** Who has access to a space or a collection: what was granted there, and everybody’s effective role. */
export function renderPlaceAccess(page: PlaceAccess): string {
  const { place, everybody, space, organization } = page;
  const main = html`<p class="lead">${describeDefault(place)}</p>
${
  place.parent === null
    ? null
    : html`<p>Grants in the collection <a href="${accessPath('collection', place.parent.id)}">${place.parent.title}</a> count here, too.</p>`
}
${renderGrants(page)}
${renderTable({
  id: 'docloom-everybody',
  title: 'Everybody with a role',
  columns: ['Name', 'Effective role', 'Why'],
  rows: everybody.items.map((row) => everybodyRow(page, row)),
  empty: 'Nobody has a role here.',
})}
${renderMore(everybody.more, 'More people')}`;
  const title = 'Who has access';
  if (space === null)
    return renderOrganizationPage({
      ...page,
      organization,
      section: 'spaces',
      title: `${title} to ${place.title}`,
      main,
    });
  return renderSpacePage({
    ...page,
    space,
    organization,
    tab: 'access',
    title,
    main: html`<h1>${title}</h1>\n${main}`,
  });
}

function describeDefault({ kind, defaultLevel, visibility, parent }: Place): string {
  const level =
    defaultLevel === 'inherit'
      ? parent === null
        ? 'Members have here what their role in the organization, and grants, give them.'
        : `This ${kind} inherits the default level of its collection.`
      : `All members and guests have at least the role ${defaultLevel} here, by the default level.`;
  return visibility === 'public' || visibility === 'unlisted'
    ? `${level} Everybody who signs in may read its content, because it is ${visibility}.`
    : level;
}

function renderGrants(page: PlaceAccess): Markup {
  const { place, organization, users, teams, candidates, role } = page;
  const path = accessPath(place.kind, place.id);
  const rows = [
    ...teams.items.map(({ team, permission }) =>
      grantRow(page, {
        subject: `team:${team.id}`,
        title: team.title,
        href: teamPath(place.organizationId, team.id),
        what: 'team',
        permission,
      }),
    ),
    ...users.items.map(({ user, permission }) =>
      grantRow(page, {
        subject: `user:${user.id}`,
        title: user.displayName,
        href: memberPath(place.organizationId, user.id),
        what: user.email ?? 'member',
        permission,
      }),
    ),
  ];
  return html`${renderTable({
    id: 'docloom-grants',
    title: `Granted in this ${place.kind}`,
    columns: place.isAdministered ? ['To whom', 'Role', 'Change'] : ['To whom', 'Role'],
    rows,
    empty: 'Nothing was granted here itself.',
  })}
${renderMore(teams.more, 'More teams')}
${renderMore(users.more, 'More members')}
${
  candidates === null
    ? null
    : html`<section class="card reading after" aria-labelledby="docloom-add"><h2 id="docloom-add">Grant a role</h2>
<p class="small soft">It adds to what somebody has otherwise, and replaces what they were granted here before.</p>
${renderPicker({
  candidates,
  page: path,
  action: path,
  button: 'Grant',
  invite: invitesOf(organization),
  extra: selectInput({
    id: 'docloom-role',
    name: 'role',
    label: 'Role',
    options: roleOptions(false),
    selected: role,
  }),
})}
</section>`
}`;
}

function grantRow(
  { place, listsMembers }: PlaceAccess,
  grant: {
    readonly subject: string;
    readonly title: string;
    readonly href: string;
    readonly what: string;
    readonly permission: string;
  },
): Markup {
  const { subject, title, href, what, permission } = grant;
  const name = listsMembers ? html`<a href="${href}">${title}</a>` : title;
  const button = html`<td><form method="post" action="${accessPath(place.kind, place.id)}"><input type="hidden" name="subject" value="${subject}"><input type="hidden" name="role" value=""><button class="quiet" type="submit">Remove<span class="visually-hidden"> (${title})</span></button></form></td>`;
  return html`<tr><th scope="row">${name}<br><span class="small soft">${what}</span></th><td>${permission}</td>${place.isAdministered ? button : null}</tr>
`;
}

function everybodyRow({ place, listsMembers }: PlaceAccess, { user, permission }: UserPermission): Markup {
  const to = memberPath(place.organizationId, user.id);
  const why =
    listsMembers && place.kind === 'space'
      ? html`<a href="${to}?space=${encodeURIComponent(place.id)}#docloom-why">Why<span class="visually-hidden"> ${user.displayName}</span></a>`
      : null;
  return html`<tr><th scope="row">${listsMembers ? html`<a href="${to}">${user.displayName}</a>` : user.displayName}${user.email === undefined ? null : html`<br><span class="small soft">${user.email}</span>`}</th><td>${permission}</td><td>${why}</td></tr>
`;
}
