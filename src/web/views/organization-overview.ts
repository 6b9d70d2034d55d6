import type { MemberAccess, Organization } from '../../client/index.ts';
import { homePath, organizationPath } from '../addresses.ts';
import { html } from '../html.ts';
import { renderAccess } from './access-view.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';

/** What an organization is to its reader: their role, where it comes from, and the way out. */
export function renderOverview(
  options: PageNews & {
    readonly organization: Organization;
    readonly access: MemberAccess;
    readonly user: { readonly displayName: string };
  },
): string {
  const { organization, access } = options;
  return renderOrganizationPage({
    ...options,
    section: 'overview',
    title: organization.title,
    main: html`<p class="lead"><a href="${homePath}?organization=${encodeURIComponent(organization.id)}">Its spaces</a></p>
<div class="reading">
${renderAccess(access, 'You')}
<p><a class="button quiet" href="${organizationPath(organization.id, 'leave')}">Leave this organization…</a></p>
</div>`,
  });
}
