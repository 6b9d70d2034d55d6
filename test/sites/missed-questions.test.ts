import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { stayInDay } from '../support/stay-in-day.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({ 'README.md': '# Welcome\n\nHow to install.\n' });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
});
afterAll(() => sites?.close());

const asked = async () => {
  const { organizationId, client } = sites.platform;
  const { items } = await client.call(operations.listConversations, {
    params: { organizationId },
    query: {},
  });
  return items.map(({ source, subject }) => [source.split(':')[1], subject]).sort();
};

test('a search without results is a conversation, once for a query on a day', async () => {
  stayInDay();
  const search = '/s/acme/docs/~/search?q=';
  for (const query of ['Kubernetes+ingress', 'kubernetes++INGRESS', 'install', 'xyz', 'mail+ada@example.com'])
    expect((await sites.get(`${search}${query}`)).statusCode).toBe(200);
  await sites.get(`${search}kuberne`, { accept: 'application/json' });
  expect(await asked()).toEqual([
    ['search', 'kubernetes  INGRESS'],
    ['search', 'mail [email]'],
  ]);
});

test('feedback that a page did not help is one, too', async () => {
  const { body } = await sites.get('/s/acme/docs');
  const [, form = ''] = /<form class="feedback"(.*?)<\/form>/s.exec(body) ?? [];
  const hidden = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
  for (const values of [
    { helpful: 'yes', comment: 'Nice' },
    { helpful: 'no', comment: 'Where is the Helm chart?' },
  ]) {
    const payload = new URLSearchParams({ ...Object.fromEntries(hidden), ...values }).toString();
    const sent = await sites.post('/s/acme/docs/~/feedback', payload, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(sent.statusCode).toBe(200);
  }
  expect(await asked()).toContainEqual(['feedback', 'Welcome']);
  expect(await asked()).toHaveLength(3);
});
