/** The screens of sites, API specifications, and a space's links, syncs and settings, by a browser's requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { createToken } from '../../src/platform/index.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let admin: string;
let reader: string;
let guide: string;
let faq: string;
beforeAll(async () => {
  pages = await startPages();
  const { token } = await createToken(pages.platform.deps.db, { name: 'reader', role: 'read' });
  [admin, reader] = [await pages.signIn(), await pages.signIn(token)];
  guide = await pages.platform.createSpace('Guide');
  faq = await pages.platform.createSpace('Questions');
});
afterAll(() => pages?.close());

const org = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;

async function read(path: string, cookie = admin): Promise<string> {
  const answer = await pages.get(path, { cookie });
  expect([path, answer.status]).toEqual([path, 200]);
  return await answer.text();
}

async function send(path: string, fields: Record<string, string> = {}, cookie = admin): Promise<string> {
  const answer = await pages.post(path, fields, { cookie });
  if (answer.status !== 303) expect([path, answer.status, await problemOf(answer)]).toEqual([path, 303, '']);
  return answer.headers.get('location') ?? '';
}

const problemOf = async (answer: Response) => /role="alert">([^<]+)/.exec(await answer.text())?.[1];

describe('a site', () => {
  test('is created, named, published with a page that says to whom, taken back and deleted', async () => {
    const site = await send(org('/sites/new'), { title: 'Help', visibility: 'unlisted', space: guide });
    expect(await read(org('/sites'))).toContain(`href="${site}"`);
    expect(await read(`${org('/sites')}?find=zzz`)).toContain('No site is called');
    expect(await read(site)).toContain('Not published');
    // Members look at it before anybody else does.
    expect(await read(site)).toContain('Preview the site');
    expect(await read(org())).toContain('Help');
    expect(await read(`${site}/publish`)).toContain('search engines are asked to stay away');
    expect(await send(`${site}/publish`)).toBe(`${site}?done=published`);
    expect(await read(site)).toContain('Open the site');
    expect(await read(`${site}/unpublish`)).toContain('only members');
    await send(`${site}/unpublish`);
    await send(`${site}/settings`, { title: 'Help <centre>' });
    expect(await read(site)).toContain('Help &#60;centre&#62;');
    expect((await pages.post(`${site}/delete`, {}, { cookie: admin })).status).toBe(400);
    expect(await send(`${site}/delete`, { sure: 'yes' })).toBe(`${org('/sites')}?done=deleted`);
    expect((await pages.get(site, { cookie: admin })).status).toBe(404);
  });

  test('offers the spaces whose title somebody looks for', async () => {
    const found = await read(`${org('/sites/new')}?find=quest`);
    expect(found).toContain('1 space is offered.');
    expect(found).toContain(`<option value="${faq}">`);
    expect(found).not.toContain(`<option value="${guide}">`);
    expect(await read(`${org('/sites/new')}?find=zzz`)).toContain('No space is called “zzz”.');
    expect(await read(org('/sites/new'))).not.toContain('Look for a space');
  });

  test('has a structure that forms add to, change and move', async () => {
    const site = await send(org('/sites/new'), { title: 'Structured', visibility: 'public', space: guide });
    await send(`${site}/structure/sections`, { space: faq, title: 'Answers' });
    const sections = async () => {
      const { structure } = await pages.platform.client.call(operations.getSiteStructure, {
        params: { organizationId: pages.platform.organizationId, siteId: site.split('/').at(-1) ?? '' },
      });
      return structure;
    };
    const [first, second] = await sections();
    expect(await read(`${site}/structure`)).toContain('Answers');
    const section = `${site}/structure/sections/${second?.id}`;
    expect(await read(section)).toContain('Answers');
    await send(section, { title: 'Questions', path: 'faq', condition: '' });
    expect((await sections())[1]).toMatchObject({ title: 'Questions', path: 'faq' });
    await send(`${site}/structure/move`, {
      type: 'site-section',
      id: second?.id ?? '',
      besideType: 'site-section',
      besideId: first?.id ?? '',
      where: 'before',
    });
    expect((await sections()).map(({ id }) => id)).toEqual([second?.id, first?.id]);
    await send(`${section}/default`);
    expect((await sections())[0]).toMatchObject({ default: true });
    await send(`${site}/structure/groups`, { title: 'More' });
    await send(`${site}/structure/variants`, { space: guide, section: second?.id ?? '' });
    await send(`${site}/structure/sections/${first?.id}/remove`);
    expect((await sections()).map(({ title }) => title)).toEqual(['Questions', 'More']);
    const taken = await pages.post(section, { title: 'Q', path: 'a b', condition: '' }, { cookie: admin });
    expect([taken.status, await problemOf(taken)]).toEqual([400, expect.any(String)]);
  });

  test('has readers, share links that are shown once, and a key', async () => {
    const site = await send(org('/sites/new'), { title: 'Shared', visibility: 'public', space: guide });
    await send(`${site}/audience`, { visibility: 'share-link' });
    const made = await pages.post(`${site}/audience/links`, { name: 'Partners' }, { cookie: admin });
    expect(await made.text()).toContain('it is not shown again');
    const page = await read(`${site}/audience`);
    expect(page).not.toContain('shareKey=');
    const off = /action="([^"]+\/off)"/.exec(page)?.[1] ?? '';
    await send(off);
    expect(await read(`${site}/audience`)).toContain('switched off');
    await send(off.replace(/off$/, 'delete'));
    expect(await read(`${site}/audience`)).toContain('There is no share link yet.');
    await send(`${site}/audience/visitors`, { fallback: 'https://login.example.com/docs' });
    expect(page).not.toContain('class="copy"');
    const key = await pages.post(`${site}/audience/key`, {}, { cookie: admin });
    expect([key.status, key.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await key.text()).toContain('class="copy"');
  });

  test('has an address with a proof, and redirects', async () => {
    const site = await send(org('/sites/new'), { title: 'Addressed', visibility: 'public', space: guide });
    await send(`${site}/address`, { basename: 'manual', hostname: 'docs.lantern.example', proxy: '' });
    expect(await read(`${site}/address`)).toContain('Show the record to add');
    await send(`${site}/address/prove`);
    expect(await read(`${site}/address`)).toContain('TXT');
    expect((await pages.post(`${site}/address`, { basename: 'a b' }, { cookie: admin })).status).toBe(400);

    const to = /<option value="([^"]+)"/.exec(await read(`${site}/redirects`))?.[1] ?? '';
    await send(`${site}/redirects`, { source: '/old/*', to });
    const page = await read(`${site}/redirects`);
    expect(page).toContain('/old/*');
    const bad = await pages.post(`${site}/redirects`, { source: 'old', to }, { cookie: admin });
    expect([bad.status, await problemOf(bad)]).toEqual([400, expect.any(String)]);
    expect(await read(`${site}/redirects?dead=true`)).toContain('Every redirect leads somewhere.');
    await send(/action="([^"]+\/delete)"/.exec(page)?.[1] ?? '');
    expect(await read(`${site}/feedback?helpful=no`)).toContain('Nobody has said anything yet.');
  });

  test('shows readers no more than they may do, and takes no form of another site', async () => {
    const site = await send(org('/sites/new'), { title: 'Guarded', visibility: 'public', space: guide });
    for (const part of ['/look', '/look/sample', '/audience', '/address', '/redirects', '/publish'])
      expect([part, (await pages.get(`${site}${part}`, { cookie: reader })).status]).toEqual([part, 404]);
    for (const part of ['/look', '/look/sample', '/publish'])
      expect((await pages.post(`${site}${part}`, {}, { cookie: reader })).status).toBe(404);
    const headers = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    for (const part of [
      '/publish',
      '/delete',
      '/structure/sections',
      '/look',
      '/look/sample',
      '/audience',
      '/audience/key',
      '/redirects',
    ])
      expect([part, (await pages.post(`${site}${part}`, {}, headers)).status]).toEqual([part, 403]);
  });
});

describe('API specifications', () => {
  test('are created, shown, opened to everybody, sent again and deleted', async () => {
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} });
    expect(await send(org('/specs/new'), { slug: 'pet-store', url: '', text })).toContain('/specs/pet-store');
    const spec = org('/specs/pet-store');
    expect(await read(org('/specs'))).toContain(`href="${spec}"`);
    await send(`${spec}/visibility`, { visibility: 'public' });
    await send(`${spec}/source`, { url: '', text });
    expect(await read(spec)).toContain('<option value="public" selected>');
    const nothing = await pages.post(`${spec}/source`, { url: '', text: ' ' }, { cookie: admin });
    expect([nothing.status, await problemOf(nothing)]).toEqual([
      400,
      'Enter an address, or the document itself.',
    ]);
    const taken = await pages.post(org('/specs/new'), { slug: 'pet-store', text }, { cookie: admin });
    expect(taken.status).toBe(409);
    await send(`${spec}/delete`, { sure: 'yes' });
    expect((await pages.get(spec, { cookie: admin })).status).toBe(404);
  });
});

describe('a space', () => {
  test('has settings that are saved, one form at a time', async () => {
    const settings = `/spaces/${guide}/settings`;
    await send(settings, { title: 'Guide', emoji: '🏮', language: 'de' });
    await send(`${settings}/access`, { visibility: 'unlisted', defaultLevel: 'edit' });
    await send(`${settings}/edits`, { locked: 'on', rules: 'own', require_subject: 'on' });
    const space = await pages.platform.client.call(operations.getSpace, { params: { spaceId: guide } });
    expect(space).toMatchObject({
      emoji: '🏮',
      language: 'de',
      visibility: 'unlisted',
      defaultLevel: 'edit',
      editMode: 'locked',
      mergeRules: { type: 'rules', rules: [{ rule: 'require_subject' }] },
    });
    for (const [part, fields] of [
      ['', { title: 'Guide', language: 'xx' }],
      ['', { title: ' ' }],
      ['/access', { visibility: 'nobody', defaultLevel: 'edit' }],
      ['/access', { visibility: 'private', defaultLevel: 'owner' }],
      ['/delete', {}],
    ] as const)
      expect([part, (await pages.post(`${settings}${part}`, fields, { cookie: admin })).status]).toEqual([
        part,
        400,
      ]);
    expect((await pages.get(settings, { cookie: reader })).status).toBe(404);
  });

  test('shows its links by verdict, and its syncs', async () => {
    const { repo, url } = await pages.platform.createRepo('links');
    await repo.commit({ 'README.md': '# Home\n\n[Gone](gone.md) and [here](#home)\n' });
    const id = await pages.platform.createSpace('Linked');
    await pages.platform.importBranch(id, {
      url,
      gitInfo: { provider: 'github', url: 'https://forge.example/a/b' },
    });
    const broken = await read(`/spaces/${id}/links`);
    expect(broken).toContain('<code>gone.md</code>');
    expect(broken).not.toContain('#home');
    expect(await read(`/spaces/${id}/links?status=ok`)).not.toContain('gone.md');
    expect(await read(`/spaces/${id}/links?status=all`)).toContain('gone.md');
    expect(await read(`/spaces/${id}/syncs`)).toContain('Sync now');
    expect(await read(`/spaces/${id}/syncs`, reader)).not.toContain('Sync now');
    expect(await send(`/spaces/${id}/syncs`)).toBe(`/spaces/${id}/syncs?done=started`);
    expect(pages.asked).toContain(`sync space ${id}`);
    expect((await pages.post(`/spaces/${id}/syncs`, {}, { cookie: reader })).status).toBe(400);
    expect(await send(`/spaces/${id}/settings/delete`, { sure: 'yes' })).toBe(
      `${org('/spaces')}?done=deleted`,
    );
  });
});
