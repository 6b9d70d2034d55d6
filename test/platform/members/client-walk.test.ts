/** Walks the operations on people as the published client calls them; `published-client.ts` says what that needs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.ts';
import { proveDomain } from '../../support/prove-domain.ts';
import { createSigningKey } from '../../support/saml/certificate.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { openPublishedClient, type PublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

/** The parts of the published API that are about people, and how many operations each has. */
const PARTS = {
  Organizations: 3,
  Search: 1,
  Invites: 3,
  'Organization members': 7,
  Teams: 6,
  'SAML and SSO': 6,
};

let platform: TestPlatform;
let client: PublishedClient;
let ada: TestMember;
let guest: TestMember;

describe('the published client', () => {
  beforeAll(async () => {
    platform = await startPlatform();
    client = openPublishedClient(platform);
    ada = await createMember(platform, 'Ada', { role: 'edit' });
    guest = await createMember(platform, 'Guest', { role: null });
  });
  afterAll(() => platform?.close());

  const org = '/orgs/{organizationId}';

  test('reads and changes organizations', async () => {
    const { organizationId } = platform;
    await client.call('GET', '/orgs', { query: '?limit=1' });
    await client.call('GET', org);
    await client.call('GET', org, { token: guest.token });
    await client.call('GET', org, { ids: { organizationId: 'no-such-organization' } });
    const site = (await platform.api('POST', `/orgs/${organizationId}/sites`, { body: SITE })).body.id;
    const mergeRules = { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] };
    await client.call('PATCH', org, {
      body: {
        title: 'Acme',
        emailDomains: ['example.com'],
        hostname: 'acme-docs',
        defaultRole: 'read',
        defaultContent: { type: 'site', site },
        logo: 'https://acme.example/logo.png',
        sso: false,
        ai: false,
        inviteLinks: true,
        mergeRules,
      },
    });
    await client.call('GET', org);
    await client.call('PATCH', org, { body: { hostname: 'Not a label' } });
    await client.call('PATCH', org, { body: { defaultRole: null, logo: null, hostname: null } });

    const { repo, url } = await platform.createRepo('engines');
    await repo.commit({ 'README.md': '# Engines\n\nHow they are built.\n' });
    const space = { title: 'Engines', emoji: '1f4d8' };
    const { id } = (await platform.api('POST', `/orgs/${organizationId}/spaces`, { body: space })).body;
    await platform.importBranch(id, { url });
    const { items } = await client.call('GET', `${org}/search`, { query: '?query=engines' });
    expect(items.length).toBeGreaterThan(0);
  });

  test('lets people join and come in by a link', async () => {
    const stranger = await createMember(platform, 'Stranger', { role: undefined });
    await proveDomain(platform.deps.db, platform.organizationId, 'example.com');
    await platform.deps.db.execute('update users set email_verified_at = now()');
    await client.call('GET', '/email-domains/{emailDomain}/orgs', {
      ids: { emailDomain: 'example.com' },
      token: stranger.token,
    });
    await client.call('POST', `${org}/join`, { token: stranger.token });
    const link = await client.call('POST', `${org}/link-invites`, { body: { role: 'read' } });
    await client.call('GET', `${org}/link-invites`);
    const ids = { inviteId: link.id };
    await client.call('GET', `${org}/link-invites/{inviteId}`, { ids });
    await client.call('PATCH', `${org}/link-invites/{inviteId}`, { ids, body: { role: 'comment' } });
    await client.call('DELETE', `${org}/link-invites/{inviteId}`, { ids });
    await client.call('DELETE', `${org}/link-invites/{inviteId}`, { ids });
    await client.call('POST', `${org}/invites`, { body: { emails: ['grace@example.com'], role: 'read' } });
  });

  test('manages members', async () => {
    const ids = { userId: ada.userId };
    await client.call('POST', `${org}/ping`, { token: ada.token });
    for (const query of ['?limit=1', '?role=edit&order=asc', '?search=ada&sort=joinedAt', '?sort=lastSeenAt'])
      await client.call('GET', `${org}/members`, { query });
    await client.call('GET', `${org}/members/{userId}`, { ids });
    await client.call('GET', `${org}/members/{userId}`, { ids: { userId: guest.userId } });
    await client.call('PATCH', `${org}/members/{userId}`, { ids, body: { role: null } });
    await client.call('PATCH', `${org}/members/{userId}`, { ids, body: { role: 'review' } });
    await client.call('GET', `${org}/members/{userId}/spaces`, { ids, query: '?order=desc&limit=1' });
    await client.call('GET', `${org}/members/{userId}/spaces`, { ids: { userId: guest.userId } });
  });

  test('manages teams', async () => {
    const created = await client.call('PUT', `${org}/teams`, {
      body: { title: 'Writers', members: [ada.userId] },
    });
    const ids = { teamId: created.id };
    const members = `${org}/teams/{teamId}/members`;
    await client.call('PUT', members, { ids, body: { add: [guest.userId], memberships: OWNER(ada.userId) } });
    await client.call('GET', members, { ids });
    const one = { ...ids, userId: guest.userId };
    await client.call('PUT', `${members}/{userId}`, { ids: one, body: { role: 'member' } });
    await client.call('GET', `${org}/teams`, { query: `?title=WRIT&owner=${ada.userId}&limit=1` });
    await client.call('GET', `${org}/teams/{teamId}`, { ids });
    await client.call('PATCH', `${org}/teams/{teamId}`, { ids, body: { title: 'Authors' } });
    const own = { userId: ada.userId };
    await client.call('GET', `${org}/members/{userId}/teams`, { ids: own, query: '?title=auth' });
    await client.call('DELETE', `${members}/{userId}`, { ids: one });
    await client.call('DELETE', `${org}/teams/{teamId}`, { ids });
    await client.call('DELETE', `${org}/teams/{teamId}`, { ids });
  });

  test('sets single sign-on up', async () => {
    const [current, next] = [createSigningKey(), createSigningKey()];
    const { id: team } = await client.call('PUT', `${org}/teams`, { body: { title: 'Everybody' } });
    const body = {
      label: 'Okta',
      entityID: 'https://idp.example',
      certificate: current.certificate,
      ssoURL: 'https://idp.example/sso',
      defaultTeam: team,
      defaultRole: null,
    };
    const created = await client.call('POST', `${org}/saml`, { body });
    const ids = { samlProviderId: created.id };
    await client.call('GET', `${org}/saml`, { query: '?limit=1' });
    await client.call('GET', `${org}/saml/{samlProviderId}`, { ids });
    await client.call('GET', `${org}/saml/{samlProviderId}`, { ids: { samlProviderId: 'none' } });
    await client.call('PATCH', `${org}/saml/{samlProviderId}`, {
      ids,
      body: { ...body, certificate: next.certificate, defaultRole: 'read' },
    });
    await client.call('GET', `${org}/sso`);
    await platform.deps.db.execute(`update identity_providers set status = 'active'`);
    await client.call('GET', `${org}/saml/{samlProviderId}`, { ids });
    const member = { userId: ada.userId };
    await client.call('POST', `${org}/members/{userId}/sso`, { ids: member });
    await client.call('GET', `${org}/members/{userId}`, { ids: member });
    await client.call('DELETE', `${org}/members/{userId}`, { ids: member });
    await client.call('DELETE', `${org}/members/{userId}`, { ids: member });
    await client.call('DELETE', `${org}/saml/{samlProviderId}`, { ids });
    await client.call('DELETE', `${org}/saml/{samlProviderId}`, { ids });
  });

  test('called every operation on people that is published', () => {
    const published = Object.entries(PARTS).flatMap(([part, expected]) => {
      const found = Object.values(operations)
        .filter(({ tag, id, extension }) => tag === part && !extension && id !== 'searchSpaceContent')
        .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
      expect(found, part).toHaveLength(expected);
      return found;
    });
    expect(published.filter((one) => !client.walked.has(one))).toEqual([]);
    expect(published).toHaveLength(26);
  });
});

const SITE = { title: 'Docs', visibility: 'public', spaces: [] };

const OWNER = (userId: string) => ({ [userId]: { role: 'owner' } });
