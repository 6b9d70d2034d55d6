import type { Organization, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { homePath, organizationPath, spacePartPath, spacePath } from '../addresses.ts';
import { formatNumber } from '../format.ts';
import { renderLayout } from '../layout.ts';
import { type Crumb, renderCrumbs } from './crumbs.ts';
import { type PageNews, renderNews } from './organization-frame.ts';
import { renderTabs } from './tabs.ts';

interface Tab {
  readonly part: string;
  readonly title: string;
  /** Whether the reader may open it. */
  readonly isOpen: (frame: Pick<SpaceFrame, 'space' | 'organization'>) => boolean;
  /** A number beside the title, such as of what is open. */
  readonly count?: (space: Space) => number;
}

/** The pages of a space, in the order of its tabs. */
const tabs = {
  overview: { part: '', title: 'Overview', isOpen: ({ space }) => space.permissions.view },
  content: { part: 'content', title: 'Content', isOpen: ({ space }) => space.permissions.view },
  changeRequests: {
    part: 'change-requests',
    title: 'Change requests',
    isOpen: ({ space }) => space.permissions.access,
    count: ({ changeRequestsOpen }) => changeRequestsOpen,
  },
  comments: {
    part: 'comments',
    title: 'Comments',
    isOpen: ({ space }) => space.permissions.comment,
    count: ({ comments }) => comments,
  },
  links: { part: 'links', title: 'Links', isOpen: ({ space }) => space.permissions.access },
  syncs: { part: 'syncs', title: 'Syncs', isOpen: ({ space }) => space.permissions.access },
  access: {
    part: 'access',
    title: 'Access',
    isOpen: ({ space: { permissions }, organization }) =>
      permissions.admin || (permissions.access && organization?.permissions.listMembers === true),
  },
  settings: { part: 'settings', title: 'Settings', isOpen: ({ space }) => space.permissions.admin },
} as const satisfies Record<string, Tab>;
export type SpaceTab = keyof typeof tabs;
export const spaceTabs: Readonly<Record<SpaceTab, Tab>> = tabs;

/** What every page of a space needs for its frame; `inSpace` loads it. */
export interface SpaceFrame {
  readonly space: Space;
  /** Null for a reader of a public space who may not see its organization. */
  readonly organization: Organization | null;
  readonly user: { readonly displayName: string };
}

export interface SpacePage extends SpaceFrame, PageNews {
  readonly tab: SpaceTab;
  /** The title of the browser's tab; that of the space's tab when it is absent. */
  readonly title?: string;
  /** Levels below the tab, down to the page itself. */
  readonly crumbs?: readonly Crumb[];
  /** A bar above the frame, as of a preview. */
  readonly above?: Markup | null;
  /** On a page of results: what was searched for. */
  readonly query?: string;
  /** All below the tabs, with the only `<h1>`. */
  readonly main: Markup;
}

/** The frame of every page of a space: breadcrumbs, the tabs that the reader may open, and what was just done. */
export function renderSpacePage(page: SpacePage): string {
  const { space, organization, tab, crumbs = [], news = null, problem = null, query } = page;
  const { part, title } = spaceTabs[tab];
  const above: readonly Crumb[] = [
    organization === null
      ? { title: 'Spaces', href: homePath }
      : { title: organization.title, href: organizationPath(organization.id) },
    { title: `${space.emoji ? `${space.emoji} ` : ''}${space.title}`, href: spacePath(space.id) },
    ...(part === '' ? [] : [{ title, href: spacePartPath(space.id, part) }]),
    ...crumbs,
  ];
  return renderLayout({
    title: `${page.title ?? title} · ${space.title}`,
    user: page.user,
    where: { organization, space, ...(query === undefined ? {} : { query }) },
    above: html`${page.above}<div class="space-head"><div class="wide">
${renderCrumbs(above)}
${renderTabs({ about: 'Space', tabs: visibleTabs(page), current: spacePartPath(space.id, part) })}
</div></div>`,
    main: html`${renderNews({ news, problem })}
${page.main}`,
  });
}

function visibleTabs(frame: SpaceFrame) {
  return Object.values(spaceTabs)
    .filter(({ isOpen }) => isOpen(frame))
    .map(({ part, title, count }) => {
      const number = count?.(frame.space) ?? 0;
      return {
        href: spacePartPath(frame.space.id, part),
        label: title,
        count: number === 0 ? null : formatNumber(number),
      };
    });
}
