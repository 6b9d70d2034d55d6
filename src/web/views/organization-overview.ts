import type { MemberAccess, Organization } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { homePath, organizationPath } from '../addresses.ts';
import { renderAccess } from './access-view.ts';
import { renderButton } from './action-button.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { teamPath } from './teams-view.ts';

/** What an organization is to its reader: their role, where it comes from, and the way out. */
export function renderOverview(
  options: PageNews & {
    readonly organization: Organization;
    readonly access: MemberAccess;
    /** The reader's own id. */
    readonly userId: string;
    /** Those that the reader is in. */
    readonly teams: readonly { readonly id: string; readonly title: string; readonly role: string }[];
    readonly user: { readonly displayName: string };
  },
): string {
  const { organization, access, teams, userId } = options;
  return renderOrganizationPage({
    ...options,
    section: 'overview',
    title: organization.title,
    main: html`<p class="lead"><a href="${homePath}?organization=${encodeURIComponent(organization.id)}">Its spaces</a></p>
<div class="reading">
${renderAccess(access, 'You')}
${
  teams.length === 0
    ? null
    : html`<h2>Your teams</h2>
<ul class="plain rows">${teams.map(({ id, title, role }) => html`<li class="card-head"><span><a href="${teamPath(organization.id, id)}">${title}</a> <span class="soft">as its ${role}</span></span>${renderButton(teamPath(organization.id, id, `members/${encodeURIComponent(userId)}/remove`), 'Leave', title)}</li>`)}</ul>`
}
<p><a class="button quiet" href="${organizationPath(organization.id, 'leave')}">Leave this organization…</a></p>
</div>`,
  });
}
