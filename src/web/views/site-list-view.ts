import type { Organization, Site, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath, sitePath } from '../addresses.ts';
import { formatNumber, plural } from '../format.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { audienceOptions, describeAudience, renderSiteState } from './site-frame.ts';
import { titleInput } from './space-forms-view.ts';

interface Listed extends PageNews {
  readonly organization: Organization;
  readonly user: { readonly displayName: string };
}

/** The sites of an organization. */
export function renderSiteList(
  options: Listed & { readonly sites: readonly Site[]; readonly find: string; readonly more: string | null },
): string {
  const { organization, sites, find, more } = options;
  const path = organizationPath(organization.id, 'sites');
  return renderOrganizationPage({
    ...options,
    section: 'sites',
    actions: organization.permissions.createContent
      ? html`<a class="button" href="${path}/new">New site</a>`
      : null,
    main: html`<p class="lead">A site shows spaces to readers, at an address of its own.</p>
<form class="filter list-filter" action="${path}">
<div class="field"><label class="visually-hidden" for="docloom-find">Filter by title</label>
<input id="docloom-find" name="find" type="search" value="${find}" placeholder="Filter by title" maxlength="100" autocomplete="off"></div>
<button class="quiet" type="submit">Filter</button>
</form>
${
  sites.length === 0
    ? html`<div class="empty"><p>${find === '' ? 'There is no site yet.' : html`No site is called “${find}”.`}</p></div>`
    : html`<ul class="plain list">
${sites.map(
  (site) =>
    html`<li class="list-row"><div class="list-main"><a href="${sitePath(organization.id, site.id)}">${site.title}</a>
<p class="small soft">${describeAudience(site.visibility)} · ${plural(site.siteSpaces, 'space')}</p></div>${renderSiteState(site)}</li>
`,
)}</ul>`
}
${renderMore(more, 'More sites')}`,
  });
}

/** A form for a new site. */
export function renderNewSite(
  options: Listed & {
    readonly offered: OfferedSpaces;
    readonly values: { readonly title: string; readonly visibility: string; readonly space: string };
  },
): string {
  const { organization, offered, values } = options;
  return renderOrganizationPage({
    ...options,
    section: 'sites',
    title: 'New site',
    main: html`${renderSpaceSearch(offered, organizationPath(organization.id, 'sites/new'))}
<form class="card reading" method="post" action="${organizationPath(organization.id, 'sites/new')}">
${titleInput(values.title)}
${spaceInput(offered.spaces, values.space)}
${selectInput({
  id: 'docloom-visibility',
  name: 'visibility',
  label: 'Readers, once it is published',
  options: audienceOptions(),
  selected: values.visibility,
  hint: 'Until it is published, only members who may see its spaces read it.',
})}
<div class="buttons"><button type="submit">Create</button><a href="${organizationPath(organization.id, 'sites')}">Cancel</a></div>
</form>`,
  });
}

/** The spaces that may be shown on a site, as far as a form lists them. */
export interface OfferedSpaces {
  /** What somebody looks for in their titles; empty at first. */
  readonly find: string;
  readonly spaces: readonly Space[];
  /** How many there are in all. */
  readonly count: number;
}

/** Where a form cannot list all spaces: what it lists, and how to find another; null where it lists all. */
export function renderSpaceSearch({ find, spaces, count }: OfferedSpaces, page: string): Markup | null {
  if (find === '' && count <= spaces.length) return null;
  const words =
    count === 0
      ? html`No space is called “${find}”.`
      : count > spaces.length
        ? `The first ${formatNumber(spaces.length)} of ${plural(count, 'space')} are offered.`
        : `${plural(count, 'space')} ${count === 1 ? 'is' : 'are'} offered.`;
  return html`<form class="filter list-filter" action="${page}" role="search" aria-label="Spaces">
<div class="field"><label for="docloom-find">Look for a space</label>
<input id="docloom-find" name="find" type="search" value="${find}" maxlength="100" autocomplete="off"></div>
<button class="quiet" type="submit">Search</button></form>
<p class="soft small">${words}</p>`;
}

/** A space to show on a site. */
/** @param id of the field; forms of one page have one each */
export function spaceInput(
  spaces: readonly Pick<Space, 'id' | 'title'>[],
  selected: string,
  id = 'docloom-space',
) {
  return selectInput({
    id,
    name: 'space',
    label: 'Space',
    options: spaces.map(({ id, title }) => ({ value: id, label: title })),
    selected,
  });
}
