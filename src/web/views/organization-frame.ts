import type { Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { homePath, organizationPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { renderCrumbs } from './space-bar.ts';
import { renderTabs } from './tabs.ts';

type Right = keyof Organization['permissions'];

/** The pages of an organization, in the order of the navigation, each with the right that shows it. */
export const organizationSections = {
  overview: { part: '', title: 'Overview', right: 'view' },
  members: { part: 'members', title: 'Members', right: 'listMembers' },
  teams: { part: 'teams', title: 'Teams', right: 'listTeams' },
  invites: { part: 'invites', title: 'Invitations', right: 'admin' },
  settings: { part: 'settings', title: 'Settings', right: 'admin' },
  sso: { part: 'sso', title: 'Single sign-on', right: 'admin' },
  audit: { part: 'audit', title: 'Audit log', right: 'admin' },
} as const satisfies Record<string, { readonly part: string; readonly title: string; readonly right: Right }>;
export type OrganizationSection = keyof typeof organizationSections;

/** What was just done, or why it was not, above the rest of a page. */
export interface PageNews {
  readonly news?: string | null;
  readonly problem?: string | null;
}

export interface OrganizationPage extends PageNews {
  readonly organization: Organization;
  readonly section: OrganizationSection;
  /** The heading and the title of the tab, when the page is below the section's own. */
  readonly title?: string;
  readonly user: { readonly displayName: string };
  /** All below the heading. */
  readonly main: Markup;
}

/** The frame of every page of an organization: breadcrumbs, a navigation between what the reader may open, the heading. */
export function renderOrganizationPage(page: OrganizationPage): string {
  const { organization, section, news, problem } = page;
  const { part, title } = organizationSections[section];
  const heading = page.title ?? title;
  const below = page.title === undefined ? [] : [{ title: page.title, href: null }];
  return renderLayout({
    title: `${heading} · ${organization.title}`,
    user: page.user,
    above: html`<div class="space-bar"><div class="wide">
${renderCrumbs([
  { title: 'Spaces', href: homePath },
  { title: organization.title, href: organizationPath(organization.id) },
  ...(section === 'overview' ? below : [{ title, href: organizationPath(organization.id, part) }, ...below]),
])}
</div></div>`,
    main: html`${renderSections(organization, section)}
<h1>${heading}</h1>
${renderNews({ news: news ?? null, problem: problem ?? null })}
${page.main}`,
  });
}

export function renderNews({ news, problem }: PageNews): Markup {
  return html`${news ? html`<p class="notice good" role="status">${news}</p>` : null}${problem ? html`<p class="notice bad" role="alert">${problem}</p>` : null}`;
}

function renderSections({ id, permissions }: Organization, current: OrganizationSection): Markup {
  return renderTabs({
    about: 'Organization',
    tabs: Object.values(organizationSections)
      .filter(({ right }) => permissions[right])
      .map(({ part, title }) => ({ href: organizationPath(id, part), label: title })),
    current: organizationPath(id, organizationSections[current].part),
  });
}
