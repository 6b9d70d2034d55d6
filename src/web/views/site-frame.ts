import type { Organization, Site } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { sitePath } from '../addresses.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { renderTabs } from './tabs.ts';

/** The pages of a site, in the order of its tabs, each with the right that shows it. */
const tabs = {
  overview: { part: '', title: 'Overview', right: 'view' },
  structure: { part: 'structure', title: 'Structure', right: 'view' },
  look: { part: 'look', title: 'Look', right: 'edit' },
  audience: { part: 'audience', title: 'Audience', right: 'admin' },
  address: { part: 'address', title: 'Address', right: 'admin' },
  redirects: { part: 'redirects', title: 'Redirects', right: 'edit' },
  feedback: { part: 'feedback', title: 'Feedback', right: 'edit' },
} as const satisfies Record<
  string,
  { readonly part: string; readonly title: string; readonly right: keyof Site['permissions'] }
>;
export type SiteTab = keyof typeof tabs;
export const siteTabs: Readonly<
  Record<
    SiteTab,
    { readonly part: string; readonly title: string; readonly right: keyof Site['permissions'] }
  >
> = tabs;

/** What every page of a site needs for its frame; `inSite` loads it. */
export interface ManagedSiteFrame {
  readonly organization: Organization;
  readonly site: Site;
  readonly user: { readonly displayName: string };
}

/** The frame of every page of a site: that of its organization, with the tabs that the reader may open. */
export function renderManagedSitePage(
  page: ManagedSiteFrame & PageNews & { readonly tab: SiteTab; readonly main: Markup },
): string {
  const { organization, site, tab, main } = page;
  const path = (part: string) => sitePath(organization.id, site.id, part);
  return renderOrganizationPage({
    ...page,
    section: 'sites',
    title: site.title,
    actions: html`<div class="buttons">${renderSiteState(site)}${renderVisit(site)}</div>`,
    main: html`${renderTabs({
      about: 'Site',
      tabs: Object.values(siteTabs)
        .filter(({ right }) => site.permissions[right])
        .map(({ part, title }) => ({ href: path(part), label: title })),
      current: path(siteTabs[tab].part),
    })}
${tab === 'overview' ? null : html`<h2 class="visually-hidden">${siteTabs[tab].title}</h2>`}
${main}`,
  });
}

/** Whether readers see it. */
export function renderSiteState({ published }: Site): Markup {
  return published
    ? html`<span class="state good">Published</span>`
    : html`<span class="state idle">Not published</span>`;
}

function renderVisit({ urls }: Site): Markup | null {
  const href = safeHref(urls.published ?? urls.preview);
  if (href === null) return null;
  return html`<a class="button quiet" href="${href}">${urls.published === undefined ? 'Preview the site' : 'Open the site'}</a>`;
}

const AUDIENCES: Readonly<Record<Site['visibility'], string>> = {
  public: 'Everybody, search engines included',
  unlisted: 'Everybody who has the address; search engines are asked to stay away',
  'share-link': 'Whoever has one of its share links',
  'visitor-auth': 'Visitors whom your own sign-in sends with a signed token',
};

/** Who reads a site once it is published, in words. */
export function describeAudience(visibility: Site['visibility']): string {
  return AUDIENCES[visibility];
}

export function audienceOptions(): readonly { readonly value: Site['visibility']; readonly label: string }[] {
  return (Object.keys(AUDIENCES) as Site['visibility'][]).map((value) => ({
    value,
    label: AUDIENCES[value],
  }));
}
