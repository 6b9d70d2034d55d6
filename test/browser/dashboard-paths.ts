import type { World } from '../platform/fill-world.ts';

/** Every page of the dashboard that a filled organization has. */
export function pathsOfDashboard({ organizationId, ids }: World): string[] {
  const org = (part = '') => `/orgs/${organizationId}${part}`;
  const site = (part = '') => org(`/sites/${ids['siteId']}${part}`);
  const space = (part = '') => `/spaces/${ids['spaceId']}${part}`;
  return [
    '/',
    '/orgs',
    '/status',
    '/search?q=zanzibar',
    '/account',
    '/account/sessions',
    '/account/tokens',
    ...['', '/spaces', '/spaces/new', '/collections/new', '/trash', '/sites', '/sites/new', '/specs'].map(
      org,
    ),
    ...['/specs/new', '/conversations', '/conversations/all', '/members', '/teams', '/invites', '/sso'].map(
      org,
    ),
    ...['/settings', '/instructions', '/audit', '/leave', '/translations', '/translations/new'].map(org),
    org(`/translations/${ids['translationId']}`),
    org(`/members/${ids['userId']}`),
    org(`/teams/${ids['teamId']}`),
    org(`/specs/${ids['specSlug']}`),
    org(`/conversations/${ids['clusterId']}`),
    org(`/conversations/all/${ids['conversationId']}`),
    ...['', '/structure', '/look', '/audience', '/address', '/redirects', '/feedback', '/publish'].map(site),
    ...['', '/look'].map((part) => site(`/structure/variants/${ids['siteSpaceId']}${part}`)),
    ...['', '/settings', '/access'].map((part) => `/collections/${ids['collectionId']}${part}`),
    ...['', '/content', '/change-requests', '/comments', '/links', '/syncs', '/access', '/settings'].map(
      space,
    ),
    space('/move'),
    space('/search?q=guide'),
    space('/edit/tree'),
    space('/edit?path=README.md'),
    space(`/pages/${ids['pageId']}`),
    space(`/change-requests/1`),
    space(`/change-requests/2`),
    space(`/change-requests/2/conflicts`),
  ];
}
