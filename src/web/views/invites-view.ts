import type { LinkInvite, MailInvite, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { formatAhead, plural } from '../format.ts';
import { renderButton } from './action-button.ts';
import { renderTable } from './data-table.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { nameRole, roleOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { textInput } from './text-input.ts';

type User = { readonly displayName: string };

/** What was entered to invite people. */
export interface InviteForm {
  readonly emails: string;
  readonly role: string;
  readonly maxUses: string;
}
export const EMPTY_INVITE_FORM: InviteForm = { emails: '', role: 'read', maxUses: '' };

export function invitePagePath(organizationId: string, id: string, action: string): string {
  return organizationPath(organizationId, `invites/${encodeURIComponent(id)}/${action}`);
}

/** The open invitations of an organization, and the forms that make some. */
export function renderInvites(
  options: PageNews & {
    readonly organization: Organization;
    readonly mails: { readonly items: readonly MailInvite[]; readonly count: number };
    readonly moreMails: string | null;
    readonly links: { readonly items: readonly LinkInvite[]; readonly count: number };
    readonly moreLinks: string | null;
    readonly form: InviteForm;
    readonly now: Date;
    readonly user: User;
  },
): string {
  const { organization, mails, links, form } = options;
  return renderOrganizationPage({
    ...options,
    section: 'invites',
    main: html`<div class="side-by-side">
${mailForm(organization.id, form)}
${linkForm(organization, form)}
</div>
${renderTable({
  id: 'docloom-mail-invites',
  title: `${plural(mails.count, 'open invitation')} by mail`,
  columns: ['Address', 'Role', 'Works until', 'Change'],
  rows: mails.items.map((invite) => mailRow(organization.id, invite, options.now)),
  empty: 'Everybody who was invited by mail has accepted, or the invitation has ended.',
})}
${renderMore(options.moreMails, 'More invitations')}
${renderTable({
  id: 'docloom-link-invites',
  title: plural(links.count, 'link'),
  columns: ['Role', 'Uses', 'Works until', 'Change'],
  rows: links.items.map((invite) => linkRow(organization.id, invite, options.now)),
  empty: 'There is no link.',
})}
${renderMore(options.moreLinks, 'More links')}`,
  });
}

function mailForm(organizationId: string, { emails, role }: InviteForm): Markup {
  return html`<form method="post" action="${organizationPath(organizationId, 'invites')}" class="card">
<h2>Invite by mail</h2>
<div class="field"><label for="docloom-emails">E-mail addresses</label>
<textarea id="docloom-emails" name="emails" rows="4" required maxlength="70000" spellcheck="false" aria-describedby="docloom-emails-hint">${emails}</textarea>
<p class="hint" id="docloom-emails-hint">One in each line, or with commas between; up to 250 at once.</p></div>
${selectInput({ id: 'docloom-mail-role', name: 'role', label: 'Role', options: roleOptions(true), selected: role })}
<button type="submit">Invite</button>
</form>`;
}

function linkForm({ id, inviteLinks }: Organization, { role, maxUses }: InviteForm): Markup {
  if (!inviteLinks)
    return html`<section class="card account-part" aria-labelledby="docloom-links-off"><h2 id="docloom-links-off">Invite by link</h2>
<p>Links with which people join are turned off. <a href="${organizationPath(id, 'settings')}">The settings</a> turn them on.</p></section>`;
  return html`<form method="post" action="${organizationPath(id, 'invites/links')}" class="card">
<h2>Invite by link</h2>
<p class="small soft">Whoever has the link joins, for 7 days.</p>
${selectInput({ id: 'docloom-link-role', name: 'role', label: 'Role', options: roleOptions(true), selected: role })}
${textInput({
  id: 'docloom-max-uses',
  name: 'maxUses',
  label: 'How often it works',
  type: 'text',
  autocomplete: 'off',
  maxLength: 5,
  value: maxUses,
  hint: 'A number; empty for no limit.',
  isOptional: true,
})}
<button type="submit">Make a link</button>
</form>`;
}

function mailRow(organizationId: string, { id, email, role, expiresAt }: MailInvite, now: Date): Markup {
  return html`<tr><th scope="row">${email}</th><td>${nameRole(role)}</td><td class="time">${formatAhead(expiresAt, now)}</td><td><div class="buttons">${renderButton(invitePagePath(organizationId, id, 'resend'), 'Send again', email)}${renderButton(invitePagePath(organizationId, id, 'revoke'), 'Revoke', email)}</div></td></tr>
`;
}

function linkRow(organizationId: string, invite: LinkInvite, now: Date): Markup {
  const { id, role, uses, maxUses, redundant, expiresAt } = invite;
  const about = `link for the role ${nameRole(role)}`;
  return html`<tr><th scope="row">${nameRole(role)}</th><td class="number">${maxUses === undefined ? uses : `${uses} of ${maxUses}`}</td><td class="time">${redundant ? 'Ended' : formatAhead(expiresAt, now)}</td><td>${renderButton(invitePagePath(organizationId, id, 'revoke-link'), 'Revoke', about)}</td></tr>
`;
}

/** Invitations that were just made, with their addresses, shown this once. */
export function renderMadeInvites(options: {
  readonly organization: Organization;
  readonly invites: readonly (Pick<MailInvite, 'id' | 'url' | 'mail'> & { readonly label: string })[];
  readonly user: User;
}): string {
  const { organization, invites } = options;
  const isMailed = invites.every(({ mail }) => mail === 'queued');
  const isLink = invites.every(({ mail }) => mail === undefined);
  return renderOrganizationPage({
    organization,
    section: 'invites',
    title: isLink ? 'The link' : plural(invites.length, 'invitation'),
    user: options.user,
    main: html`<div class="reading">
<p class="lead">${
      isLink
        ? 'Copy its address now: it is shown this once, and only a hash of it is stored.'
        : isMailed
          ? 'The mails are on their way. The addresses are shown this once, in case that one does not arrive.'
          : 'This server sends no mails: pass each address on to its person. They are shown this once, and only hashes of them are stored.'
    }</p>
${invites.map(
  ({ id, label, url }) => html`<div class="field"><label for="docloom-${id}">${label}</label>
<input id="docloom-${id}" type="text" readonly value="${url ?? ''}" autocomplete="off" spellcheck="false"></div>
`,
)}<p><a class="button" href="${organizationPath(organization.id, 'invites')}">Done</a></p>
</div>`,
  });
}
