import type { FoundGroup, SearchedSpace } from '../../client/index.ts';
import { pagePath } from '../addresses.ts';
import type { Destination } from './destinations.ts';

/** Something that a search found, in the dashboard or by its name. */
export interface FoundEntry {
  readonly title: string;
  readonly detail: string | null;
  /** On this server. */
  readonly path: string;
}

export interface FoundList {
  readonly title: string;
  readonly entries: readonly FoundEntry[];
  /** Whether there are more of this kind. */
  readonly more: boolean;
}

const TITLES: Readonly<Record<FoundGroup['kind'], string>> = {
  space: 'Spaces',
  collection: 'Collections',
  'change-request': 'Change requests',
  site: 'Sites',
  'openapi-spec': 'API specifications',
  repository: 'Repositories',
  member: 'Members',
  team: 'Teams',
  conversation: 'Conversations',
  'conversations-cluster': 'What people ask',
};

/** In the palette, of each kind. */
const PAGES_LISTED = 6;
const DESTINATIONS_LISTED = 5;

/** What organizations have, kind by kind; entries of several organizations say of which they are. */
export function listFound(
  found: readonly {
    readonly organization: { readonly title: string };
    readonly groups: readonly FoundGroup[];
  }[],
): readonly FoundList[] {
  const kinds = Object.keys(TITLES) as FoundGroup['kind'][];
  return kinds.flatMap((kind) => {
    const groups = found.flatMap(({ organization, groups: all }) =>
      all.filter((group) => group.kind === kind).map((group) => ({ organization, group })),
    );
    if (groups.length === 0) return [];
    const entries = groups.flatMap(({ organization, group }) =>
      group.items.map(({ title, detail, urls }) => ({
        title,
        detail:
          [detail, found.length > 1 ? organization.title : undefined]
            .filter((one) => one !== undefined)
            .join(' · ') || null,
        path: pathOf(urls.app),
      })),
    );
    return [{ title: TITLES[kind], entries, more: groups.some(({ group }) => group.more) }];
  });
}

/** The address of a resource is on this server, whatever its public address is. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** For the palette: destinations, what was found by its name, and the best pages, without empty lists. */
export function listForPalette(results: {
  readonly destinations: readonly Destination[];
  readonly found: readonly FoundList[];
  readonly spaces: readonly SearchedSpace[];
  /** Whether nothing was typed, so that all destinations are shown. */
  readonly isEmpty: boolean;
}): readonly FoundList[] {
  const { destinations, found, spaces, isEmpty } = results;
  const pages = spaces.flatMap(({ id, title: space, pages: some }) =>
    some.map((page) => ({ title: page.title, detail: space, path: pagePath(id, page.id) })),
  );
  return [
    {
      title: 'Go to',
      entries: isEmpty ? destinations : destinations.slice(0, DESTINATIONS_LISTED),
      more: false,
    },
    ...found,
    { title: 'Pages', entries: pages.slice(0, PAGES_LISTED), more: pages.length > PAGES_LISTED },
  ].filter(({ entries }) => entries.length > 0);
}
