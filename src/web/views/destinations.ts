import type { Organization, Space } from '../../client/index.ts';
import {
  ACCOUNT_PATHS,
  homePath,
  organizationPath,
  organizationsPath,
  spacePartPath,
  statusPath,
} from '../addresses.ts';
import { type OrganizationSection, organizationSections } from './organization-frame.ts';
import { type SpaceFrame, spaceTabs } from './space-frame.ts';

/** A page of the dashboard, or something that one does there, by its name. */
export interface Destination {
  readonly title: string;
  /** Where it is; null for what belongs to nothing. */
  readonly detail: string | null;
  readonly path: string;
}

type Right = keyof Organization['permissions'];

/** What somebody does in an organization, each with the right that it takes. */
const ACTIONS: readonly { readonly title: string; readonly part: string; readonly right: Right }[] = [
  { title: 'New space', part: 'spaces/new', right: 'createContent' },
  { title: 'New collection', part: 'collections/new', right: 'createContent' },
  { title: 'New site', part: 'sites/new', right: 'createContent' },
  { title: 'New API specification', part: 'specs/new', right: 'createOpenAPISpec' },
  { title: 'Invite people', part: 'invites', right: 'admin' },
  { title: 'Deleted spaces', part: 'trash', right: 'view' },
];

/** What is everywhere the same. */
const OWN: readonly Destination[] = [
  { title: 'Home', detail: null, path: homePath },
  { title: 'Status of repositories', detail: null, path: statusPath },
  { title: 'Organizations', detail: null, path: organizationsPath },
  { title: 'Your account', detail: null, path: ACCOUNT_PATHS.account },
  { title: 'Your sessions', detail: 'Your account', path: ACCOUNT_PATHS.sessions },
  { title: 'Your API tokens', detail: 'Your account', path: ACCOUNT_PATHS.tokens },
];

/** The pages of a space that its reader may open. */
export function spaceDestinations(frame: Pick<SpaceFrame, 'space' | 'organization'>): readonly Destination[] {
  const { space } = frame;
  return Object.values(spaceTabs)
    .filter(({ isOpen }) => isOpen(frame))
    .map(({ part, title }) => ({ title, detail: space.title, path: spacePartPath(space.id, part) }));
}

/** The pages of organizations that their reader may open, what they may do there, and what belongs to no organization. */
export function matchDestinations(
  places: {
    readonly organizations: readonly Pick<Organization, 'id' | 'title' | 'permissions'>[];
    /** The space from whose pages somebody looks. */
    readonly inSpace: (Pick<SpaceFrame, 'organization'> & { readonly space: Space }) | null;
  },
  words: readonly string[],
): readonly Destination[] {
  const { organizations, inSpace } = places;
  const all = [
    ...(inSpace === null ? [] : spaceDestinations(inSpace)),
    ...organizations.flatMap((organization) =>
      [
        ...(Object.keys(organizationSections) as OrganizationSection[]).map(
          (name) => organizationSections[name],
        ),
        ...ACTIONS,
      ]
        .filter(({ right }) => organization.permissions[right])
        .map(({ title, part }) => ({
          title,
          detail: organization.title,
          path: organizationPath(organization.id, part),
        })),
    ),
    ...OWN,
  ];
  return all.filter(({ title, detail }) => {
    const parts = `${title} ${detail ?? ''}`.toLowerCase().split(/\s+/u);
    const begins = (word: string, all: readonly string[]) => all.some((part) => part.startsWith(word));
    // The name of an organization alone would find all of its pages.
    const own = title.toLowerCase().split(/\s+/u);
    return (
      words.length === 0 ||
      (words.every((word) => begins(word, parts)) && words.some((word) => begins(word, own)))
    );
  });
}
