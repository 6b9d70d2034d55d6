/** The frame of the dashboard, and the screens of spaces and collections, as a browser's requests open and change them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { createToken } from '../../src/platform/index.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let admin: string;
let reader: string;
let spaceId: string;
beforeAll(async () => {
  pages = await startPages();
  const { token } = await createToken(pages.platform.deps.db, { name: 'reader', role: 'read' });
  [admin, reader] = [await pages.signIn(), await pages.signIn(token)];
  spaceId = await pages.platform.createSpace('Handbook');
});
afterAll(() => pages?.close());

const org = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;

async function read(path: string, cookie = admin): Promise<string> {
  const answer = await pages.get(path, { cookie });
  expect([path, answer.status]).toEqual([path, 200]);
  return await answer.text();
}

async function send(path: string, fields: Record<string, string>, cookie = admin): Promise<string> {
  const answer = await pages.post(path, fields, { cookie });
  expect([path, answer.status]).toEqual([path, 303]);
  return answer.headers.get('location') ?? '';
}

/** The addresses that a navigation leads to. */
function linksOf(page: string, label: string): string[] {
  const nav = page.split(`aria-label="${label}"`)[1]?.split('</nav>')[0] ?? '';
  return [...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');
}

const problemOf = async (answer: Response) => /role="alert">([^<]+)/.exec(await answer.text())?.[1];

describe('the frame', () => {
  test.each([
    ['administrator', 'Organization', () => [org(), admin] as const],
    ['reader', 'Organization', () => [org(), reader] as const],
    ['administrator', 'Space', () => [`/spaces/${spaceId}`, admin] as const],
    ['reader', 'Space', () => [`/spaces/${spaceId}`, reader] as const],
  ])('leads an %s of an %s only to pages that answer', async (_who, label, start) => {
    const [path, cookie] = start();
    const links = linksOf(await read(path, cookie), label);
    expect(links).toContain(path);
    for (const link of links) {
      const page = await read(link, cookie);
      expect([link, linksOf(page, label)]).toEqual([link, links]);
      expect(page).toMatch(new RegExp(`<a href="${link.replaceAll('/', '\\/')}" aria-current="page">`));
    }
  });

  test('names the organization and the user, and searches where it stands', async () => {
    const page = await read(`/spaces/${spaceId}`);
    expect(page).toContain(`action="/spaces/${spaceId}/search"`);
    expect(page).toContain(`href="${org()}"`);
    expect(await read(org())).toContain('action="/search"');
    expect(await read('/orgs')).toContain(`href="${org()}"`);
    expect(await read(`/search?q=brochure`)).toContain('Nothing is called so');
  });

  test('loads one script of this server, which answers', async () => {
    const page = await read('/');
    const src = /<script type="module" src="([^"]+)"><\/script>/.exec(page)?.[1] ?? '';
    const answer = await pages.get(src);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect((await pages.get('/', { cookie: admin })).headers.get('content-security-policy')).toContain(
      "script-src 'self'",
    );
  });
});

describe('spaces and collections', () => {
  test('are created, moved, renamed, deleted and restored by forms', async () => {
    const collection = (await send(org('/collections/new'), { title: 'Products' })).split('?')[0] ?? '';
    const id = collection.split('/').at(-1) ?? '';
    const inner = (await send(org('/collections/new'), { title: 'Runbooks', parent: id })).split('?')[0];
    const [one, two] = [
      await send(org('/spaces/new'), { title: 'First <one>', emoji: '📘', parent: id }),
      await send(org('/spaces/new'), { title: 'Second', parent: id }),
    ];
    const order = (page: string) =>
      [...page.matchAll(/class="list-main"><a href="([^"]+)"/g)].map(([, href]) => href);
    expect(order(await read(collection))).toEqual([one, two]);
    expect(await read(collection)).toContain('First &#60;one&#62;');
    expect(await read(inner ?? '')).toContain(`href="${collection}"`);

    const secondId = two.split('/').at(-1) ?? '';
    const firstId = one.split('/').at(-1) ?? '';
    expect(await send(`${two}/move`, { before: firstId })).toBe(`${collection}?done=moved`);
    expect(order(await read(collection))).toEqual([two, one]);
    expect(await read(`${two}/move`)).toContain(`<option value="${id}" selected>`);
    expect(await send(`${two}/move`, { into: 'yes', parent: '' })).toBe(`${org('/spaces')}?done=moved`);
    const nothing = await pages.post(`${two}/move`, { into: 'yes', parent: '' }, { cookie: admin });
    expect(nothing.status).toBe(409);

    await send(`${collection}/settings`, {
      title: 'Goods',
      description: 'What we sell',
      defaultLevel: 'edit',
    });
    expect(await read(collection)).toContain('What we sell');
    expect(await send(`${collection}/delete`, {})).toBe(`${org('/spaces')}?done=removed`);
    expect((await pages.get(collection, { cookie: admin })).status).toBe(404);

    await pages.platform.client.call(operations.deleteSpace, { params: { spaceId: secondId } });
    expect(await read(org('/trash'))).toContain('Second');
    expect(await send(`${two}/restore`, {})).toBe(`${two}?done=restored`);
    expect(await read(org('/trash'))).not.toContain('Second');
  });

  test('are found by a part of their title', async () => {
    const page = await read(`${org('/spaces')}?find=handb`);
    expect(page).toContain('Handbook');
    expect(page).toContain('1 space<');
    expect(await read(`${org('/spaces')}?find=zzz`)).toContain('No space is called');
  });

  test('say where there are more collections than are shown, and lead to them', async () => {
    const { deps, organizationId } = pages.platform;
    await deps.db.execute(sql`
      insert into collections (id, organization_id, title, position)
      select 'many-' || n, ${organizationId}, 'Many ' || n, 1000 + n from generate_series(1, 1001) n`);
    try {
      const { id } = await pages.platform.client.call(operations.createSpace, {
        params: { organizationId },
        body: { title: 'In the last one', parent: 'many-1001' },
      });
      for (const path of [org('/spaces'), org('/spaces/new'), `/spaces/${id}/move`]) {
        const first = await read(path);
        expect(first).toMatch(/>1,000 of 1,\d+ collections are shown\./);
        expect(first).not.toContain('Many 1001');
        const [, more = ''] = /<a href="([^"]+)" rel="next">More collections</.exec(first) ?? [];
        const second = await read(more.replaceAll('&#38;', '&'));
        expect(second).toContain('Many 1001');
        expect(second).not.toContain('More collections');
      }
      // What is open, or chosen, stays in sight where other collections are listed.
      expect(await read('/collections/many-1001')).toMatch(/aria-current="page"[^>]*>Many 1001</);
      expect(await read(`/spaces/${id}/move`)).toContain('<option value="many-1001" selected>');
      await pages.platform.client.call(operations.moveSpace, {
        params: { spaceId: id },
        body: { parent: null },
      });
    } finally {
      await deps.db.execute(sql`delete from collections where id like 'many-%'`);
    }
  });

  test.each([
    ['a space without a title', '/spaces/new', { title: ' ' }, 400],
    ['a collection in one that is not there', '/collections/new', { title: 'A', parent: 'nothing' }, 400],
  ])('refuse %s with a sentence', async (_what, part, fields, status) => {
    const answer = await pages.post(org(part), fields, { cookie: admin });
    expect([answer.status, await problemOf(answer)]).toEqual([status, expect.any(String)]);
  });

  test('offer readers nothing that they may not do', async () => {
    const page = await read(org('/spaces'), reader);
    for (const words of ['New space', 'New collection', '/move"']) expect(page).not.toContain(words);
    const refused = await pages.post(org('/spaces/new'), { title: 'Mine' }, { cookie: reader });
    expect(refused.status).toBe(403);
  });

  test.each(['/spaces/new', '/collections/new'])('take no form of another site at %s', async (part) => {
    const headers = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    expect((await pages.post(org(part), { title: 'Theirs' }, headers)).status).toBe(403);
  });
});

describe('the search of everything', () => {
  const entriesOf = (page: string, title: string) =>
    [
      ...(page.split(`aria-label="${title}"`)[1]?.split('</section>')[0] ?? '').matchAll(/href="([^"]+)"/g),
    ].map(([, href]) => href);

  test('finds what is called so, kind by kind, and pages of the dashboard', async () => {
    const page = await read(`/search?organization=${pages.platform.organizationId}&q=HANDB`);
    expect(entriesOf(page, 'Spaces')).toEqual([`/spaces/${spaceId}`]);
    const settings = await read('/search?q=audit');
    expect(entriesOf(settings, 'Go to')).toEqual([org('/audit')]);
    expect(entriesOf(await read('/search?q=audit', reader), 'Go to')).toEqual([]);
  });

  test('answers the palette with options, and with all destinations before anything is typed', async () => {
    const from = `organization=${pages.platform.organizationId}&space=${spaceId}&palette=1`;
    const found = await read(`/search?${from}&q=handb`);
    expect(found).not.toContain('<html');
    expect(found).toContain(`href="/spaces/${spaceId}"><span>Handbook</span>`);
    expect(new Set(found.match(/id="[^"]+"/g)).size).toBe(found.match(/id="/g)?.length);
    const all = await read(`/search?${from}`);
    for (const path of [`/spaces/${spaceId}/settings`, org('/members'), org('/spaces/new'), '/account'])
      expect(all).toContain(`href="${path}"`);
    const less = await read(`/search?${from}`, reader);
    for (const path of [`/spaces/${spaceId}/settings`, org('/spaces/new'), org('/audit')])
      expect(less).not.toContain(`href="${path}"`);
  });

  test('escapes what is typed, and goes on without a space that is gone', async () => {
    const found = await read(`/search?palette=1&space=nothing&q=${encodeURIComponent('<b>"')}`);
    expect(found).toContain('&#60;b&#62;&#34;');
    expect(found).not.toContain('<b>');
  });
});
