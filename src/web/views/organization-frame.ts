import type { Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { type Crumb, renderCrumbs } from './crumbs.ts';

type Right = keyof Organization['permissions'];

/** The pages of an organization, in the order of the navigation, each with its group and the right that shows it. */
export const organizationSections = {
  overview: { group: 'Content', part: '', title: 'Overview', right: 'view' },
  spaces: { group: 'Content', part: 'spaces', title: 'Spaces', right: 'view' },
  sites: { group: 'Content', part: 'sites', title: 'Sites', right: 'view' },
  specs: { group: 'Content', part: 'specs', title: 'API specifications', right: 'view' },
  translations: { group: 'Content', part: 'translations', title: 'Translations', right: 'view' },
  conversations: {
    group: 'Content',
    part: 'conversations',
    title: 'What people ask',
    right: 'viewConversations',
  },
  members: { group: 'People', part: 'members', title: 'Members', right: 'listMembers' },
  teams: { group: 'People', part: 'teams', title: 'Teams', right: 'listTeams' },
  invites: { group: 'People', part: 'invites', title: 'Invitations', right: 'admin' },
  sso: { group: 'People', part: 'sso', title: 'Single sign-on', right: 'admin' },
  settings: { group: 'Administration', part: 'settings', title: 'Settings', right: 'admin' },
  instructions: {
    group: 'Administration',
    part: 'instructions',
    title: 'Agent instructions',
    right: 'listMembers',
  },
  audit: { group: 'Administration', part: 'audit', title: 'Audit log', right: 'admin' },
} as const satisfies Record<
  string,
  { readonly group: string; readonly part: string; readonly title: string; readonly right: Right }
>;
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
  /** Levels between the section and the page itself. */
  readonly crumbs?: readonly Crumb[];
  /** What one does on the page, beside the heading. */
  readonly actions?: Markup | null;
  /** All below the heading. */
  readonly main: Markup;
}

/** The frame of every page of an organization: breadcrumbs, a navigation between what the reader may open, the heading. */
export function renderOrganizationPage(page: OrganizationPage): string {
  const { organization, section, news, problem } = page;
  const { part, title } = organizationSections[section];
  const heading = page.title ?? title;
  const below = page.title === undefined ? [] : [{ title: page.title, href: null }];
  const levels: readonly Crumb[] = [
    ...(section === 'overview' && page.title !== undefined
      ? []
      : [{ title, href: organizationPath(organization.id, part) }]),
    ...(page.crumbs ?? []),
    ...below,
  ];
  return renderLayout({
    title: `${heading} · ${organization.title}`,
    user: page.user,
    where: { organization },
    side: renderSections(organization, section),
    main: html`${levels.length < 2 ? null : renderCrumbs(levels)}
<div class="title-row"><h1>${heading}</h1>${page.actions}</div>
${renderNews({ news: news ?? null, problem: problem ?? null })}
${page.main}`,
  });
}

export function renderNews({ news, problem }: PageNews): Markup {
  return html`${news ? html`<p class="notice good" role="status">${news}</p>` : null}${problem ? html`<p class="notice bad" role="alert">${problem}</p>` : null}`;
}

/** The navigation, in groups; on a small screen one row, which scrolls. */
function renderSections({ id, permissions }: Organization, current: OrganizationSection): Markup {
  const open = Object.values(organizationSections).filter(({ right }) => permissions[right]);
  const groups = [...new Set(open.map(({ group }) => group))];
  const here = organizationSections[current].part;
  return html`<nav class="sections" aria-label="Organization">
${groups.map(
  (group) => html`<p class="sections-group" aria-hidden="true">${group}</p>
<ul>
${open
  .filter((section) => section.group === group)
  .map(
    ({ part, title }) =>
      html`<li><a href="${organizationPath(id, part)}"${part === here ? html` aria-current="page"` : null}>${title}</a></li>\n`,
  )}</ul>
`,
)}</nav>`;
}
