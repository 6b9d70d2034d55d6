import type { MemberAccess, Organization, Site, Space } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { organizationPath, sitePath, spacePath } from '../addresses.ts';
import { plural } from '../format.ts';
import { renderAccess } from './access-view.ts';
import { renderButton } from './action-button.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { renderSiteState } from './site-frame.ts';
import { teamPath } from './teams-view.ts';

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly count: number;
}

interface Shown {
  readonly organization: Organization;
  readonly spaces: Listed<Space>;
  readonly sites: Listed<Site>;
}

/** What an organization is to its reader: what it has, their role, where that comes from, and the way out. */
export function renderOverview(
  options: PageNews & {
    readonly organization: Organization;
    readonly access: MemberAccess;
    /** The first of its spaces and sites that the reader may see, and how many there are. */
    readonly spaces: Listed<Space>;
    readonly sites: Listed<Site>;
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
    main: html`<div class="side-by-side">${renderSpaces(options)}${renderSites(options)}</div>
<div class="reading">
<h2>Your role</h2>
${renderAccess(access, 'You')}
${
  teams.length === 0
    ? null
    : html`<h2>Your teams</h2>
<ul class="plain rows">${teams.map(({ id, title, role }) => html`<li class="card-head"><span><a href="${teamPath(organization.id, id)}">${title}</a> <span class="soft">as its ${role}</span></span>${renderButton(teamPath(organization.id, id, `members/${encodeURIComponent(userId)}/remove`), 'Leave', title)}</li>`)}</ul>`
}
<p class="after"><a class="button quiet" href="${organizationPath(organization.id, 'leave')}">Leave this organization…</a></p>
</div>`,
  });
}

function renderSpaces({ organization: { id }, spaces: { items, count } }: Shown): Markup {
  const all = organizationPath(id, 'spaces');
  return html`<section aria-labelledby="docloom-spaces"><div class="title-row section-title"><h2 id="docloom-spaces">Spaces</h2><a href="${all}">${count > items.length ? plural(count, 'space') : 'All spaces'}</a></div>
${
  items.length === 0
    ? html`<p class="soft">No space of it is open to you yet.</p>`
    : html`<ul class="plain list">${items.map(
        ({ id: spaceId, emoji, title, changeRequestsOpen }) =>
          html`<li class="list-row"><div class="list-main"><a href="${spacePath(spaceId)}">${emoji ? `${emoji} ` : null}${title}</a></div>${
            changeRequestsOpen === 0
              ? null
              : html`<a class="small" href="${spacePath(spaceId)}/change-requests">${plural(changeRequestsOpen, 'open change request')}</a>`
          }</li>
`,
      )}</ul>`
}</section>`;
}

function renderSites({ organization: { id, permissions }, sites: { items, count } }: Shown): Markup {
  const all = organizationPath(id, 'sites');
  return html`<section aria-labelledby="docloom-sites"><div class="title-row section-title"><h2 id="docloom-sites">Sites</h2><a href="${all}">${count > items.length ? plural(count, 'site') : 'All sites'}</a></div>
${
  items.length === 0
    ? html`<p class="soft">No site shows these spaces to readers yet.${permissions.createContent ? html` <a href="${all}/new">Create a site</a>` : null}</p>`
    : html`<ul class="plain list">${items.map((site) => {
        const href = safeHref(site.urls.published);
        return html`<li class="list-row"><div class="list-main"><a href="${sitePath(id, site.id)}">${site.title}</a></div>${
          href === null
            ? null
            : html`<a class="small" href="${href}">Open<span class="visually-hidden"> ${site.title}</span></a>`
        }${renderSiteState(site)}</li>
`;
      })}</ul>`
}</section>`;
}
