import type { Organization } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { renderMore } from './more-link.ts';

/** The organizations that somebody may see. */
export function renderOrganizations(options: {
  readonly organizations: readonly Pick<Organization, 'id' | 'title'>[];
  /** The address of the next ones; null when there are no more. */
  readonly more: string | null;
  readonly user: { readonly displayName: string };
}): string {
  const { organizations, more, user } = options;
  return renderLayout({
    title: 'Organizations',
    user,
    main: html`<div class="narrow"><h1>Organizations</h1>
${
  organizations.length === 0
    ? html`<p class="lead">You are in no organization yet. Ask somebody in it for an invitation.</p>`
    : html`<ul class="menu-list plain rows">
${organizations.map(({ id, title }) => html`<li><a href="${organizationPath(id)}">${title}</a></li>\n`)}</ul>`
}
${renderMore(more, 'More organizations')}</div>`,
  });
}
