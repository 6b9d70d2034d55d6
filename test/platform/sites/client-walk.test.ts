/** Walks the operations on sites as the published client calls them; `published-client.ts` says what that needs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPublishedClient, type PublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let client: PublishedClient;

describe('the published client', () => {
  beforeAll(async () => {
    platform = await startPlatform({ withJobs: false });
    client = openPublishedClient(platform);
  });
  afterAll(() => platform?.close());

  /** Calls an operation of the organization by the client's path, and validates the answer. */
  const call = (
    method: string,
    template: string,
    ids: Readonly<Record<string, string>> = {},
    body?: unknown,
    query = '',
  ) => client.call(method, `/orgs/{organizationId}${template}`, { ids, body, query });

  async function createSpace(title: string): Promise<string> {
    const body = { title, emoji: '1f4d8' };
    return (await platform.api('POST', `/orgs/${platform.organizationId}/spaces`, { body })).body.id;
  }

  test('walks every operation on sites, and takes each answer for what it expects', async () => {
    const one = await createSpace('Guide');
    const { id: siteId } = await call(
      'POST',
      '/sites',
      {},
      {
        title: 'Docs',
        visibility: 'share-link',
        spaces: [one, await createSpace('Old guide')],
      },
    );
    const site = { siteId };
    await call('GET', '/sites', {}, undefined, `?space=${one}&title=doc&published=false&type=basic`);
    await call('GET', '/sites/{siteId}/structure', site);
    await call('GET', '/sites/{siteId}', site);
    await call('POST', '/sites/{siteId}/publish', site);
    await call('GET', '/sites/{siteId}/published', site);

    const section = await call('POST', '/sites/{siteId}/sections', site, {
      spaceId: await createSpace('API'),
      title: 'API',
      icon: 'code',
    });
    const inSection = { ...site, siteSectionId: section.id };
    await call('PATCH', '/sites/{siteId}/sections/{siteSectionId}', inSection, {
      path: 'reference',
      description: 'All of it',
      condition: 'visitor.claims.beta',
    });
    const { items } = await call('GET', '/sites/{siteId}/sections', site);
    const position = { before: { type: 'site-section', siteSection: items[0].id } };
    await call('POST', '/sites/{siteId}/sections/{siteSectionId}/move', inSection, { position });

    const added = await call('POST', '/sites/{siteId}/site-spaces', site, {
      spaceId: await createSpace('API 1'),
      sectionId: section.id,
    });
    const variant = { ...site, siteSpaceId: added.id };
    await call('GET', '/sites/{siteId}/site-spaces', site, undefined, '?default=true');
    await call('PATCH', '/sites/{siteId}/site-spaces/{siteSpaceId}', variant, { path: 'v1' });
    const before = { type: 'site-space', siteSpace: section.siteSpaces[0].id };
    await call('POST', '/sites/{siteId}/site-spaces/{siteSpaceId}/move', variant, { position: { before } });

    const group = await call('POST', '/sites/{siteId}/section-groups', site, { title: 'More', icon: 'book' });
    const inGroup = { ...site, siteSectionGroupId: group.id };
    await call('POST', '/sites/{siteId}/section-groups/{siteSectionGroupId}/sections', inGroup, {
      sectionId: section.id,
    });
    await call('GET', '/sites/{siteId}/section-groups', site);
    await call('GET', '/sites/{siteId}/structure', site);
    await call('GET', '/sites/{siteId}/published', site);
    await call('PATCH', '/sites/{siteId}/section-groups/{siteSectionGroupId}', inGroup, { title: 'Less' });
    await call('POST', '/sites/{siteId}/section-groups/{siteSectionGroupId}/move', inGroup, {
      position: { before: { type: 'site-section', id: items[0].id } },
    });
    await call('PATCH', '/sites/{siteId}/structure/sort', site, {
      item: { type: 'site-section', id: section.id },
      position: { after: { type: 'site-section', id: items[0].id } },
    });

    await call('PATCH', '/sites/{siteId}', site, {
      title: 'Handbook',
      proxy: 'acme.example/docs',
      adaptiveContent: { enabled: true },
      agentsContext: 'included',
      defaultSiteSection: section.id,
      defaultSiteSpace: added.id,
    });
    const flag = { type: 'boolean', description: 'Beta' };
    const unsigned = { type: 'object', properties: { dark: flag }, additionalProperties: false };
    await call('PUT', '/sites/{siteId}/adaptive-schema', site, {
      jsonSchema: {
        type: 'object',
        properties: {
          beta: flag,
          unsigned: { ...unsigned, description: 'Unsigned claims of the site visitor.' },
        },
        additionalProperties: false,
      },
    });
    await call('GET', '/sites/{siteId}/adaptive-schema', site);
    await call('GET', '/sites/{siteId}/adaptive-schema/template-conditions', site);
    await call('GET', '/sites/{siteId}/publishing/auth', site);
    await call('PATCH', '/sites/{siteId}/publishing/auth', site, {
      backend: 'custom',
      fallbackURL: 'https://acme.example/sign-in',
    });
    await call('POST', '/sites/{siteId}/publishing/auth/regenerate', site);

    await call('GET', '/sites/{siteId}/permissions/aggregate', site);
    const link = await call('POST', '/sites/{siteId}/share-links', site, { name: 'Partners' });
    await call('GET', '/sites/{siteId}/share-links', site);
    const shared = { ...site, shareLinkId: link.id };
    await call('PATCH', '/sites/{siteId}/share-links/{shareLinkId}', shared, { active: false });

    const look = await call('GET', '/sites/{siteId}/customization', site);
    await call('PUT', '/sites/{siteId}/customization', site, { ...look, favicon: { emoji: '1f4d8' } });
    await call('PATCH', '/sites/{siteId}/site-spaces/{siteSpaceId}/customization', variant, {
      styling: { theme: 'bold' },
    });
    await call('GET', '/sites/{siteId}/site-spaces/{siteSpaceId}/customization', variant);
    await call('GET', '/sites/{siteId}/published', site);

    const redirect = await call('POST', '/sites/{siteId}/redirects', site, {
      source: '/old',
      destination: { kind: 'site-section', siteSectionId: items[0].id },
    });
    await call('GET', '/sites/{siteId}/redirects', site, undefined, '?search=old');
    const redirected = { ...site, siteRedirectId: redirect.id };
    await call('PATCH', '/sites/{siteId}/redirects/{siteRedirectId}', redirected, { source: '/older' });
    await call('GET', '/sites/{siteId}/redirect', site, undefined, '?source=/older');

    await call('DELETE', '/sites/{siteId}/redirects/{siteRedirectId}', redirected);
    await call('DELETE', '/sites/{siteId}/site-spaces/{siteSpaceId}/customization', variant);
    await call('DELETE', '/sites/{siteId}/share-links/{shareLinkId}', shared);
    await call('DELETE', '/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}', {
      ...inGroup,
      siteSectionId: section.id,
    });
    await call('DELETE', '/sites/{siteId}/section-groups/{siteSectionGroupId}', inGroup);
    await call('DELETE', '/sites/{siteId}/site-spaces/{siteSpaceId}', variant);
    await call('DELETE', '/sites/{siteId}/sections/{siteSectionId}', inSection);
    await call('POST', '/sites/{siteId}/unpublish', site);
    await call('DELETE', '/sites/{siteId}', site);
    expect(client.walked.size).toBeGreaterThanOrEqual(45);
  });
});
