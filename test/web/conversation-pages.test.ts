/** What people ask, on the pages for people: in groups, conversation by conversation, and how a group becomes a page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSession } from '../../src/identity/begin-session.ts';
import { newId, tables } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let cookie: string;
let spaceId: string;
let clusterId: string;
const address = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;
const api: TestPages['platform']['api'] = (method, path, options) =>
  pages.platform.api(method, path, options);
const show = async (path: string, as = cookie) => await (await pages.get(path, { cookie: as })).text();

/** Somebody with this role in the organization, signed in. */
async function signInAs(role: string): Promise<string> {
  const { db } = pages.platform.deps;
  const userId = newId();
  await db
    .insert(tables.users)
    .values({ id: userId, displayName: 'Somebody', email: `${userId}@docs.example` });
  await db.insert(tables.members).values({ organizationId: pages.platform.organizationId, userId, role });
  const started = await beginSession(
    db,
    {
      ...{ userId, tokenId: null, provider: 'password', ssoOrganizationId: null },
      ...{ sealedToken: null, displayName: 'Somebody' },
    },
    { address: null, userAgent: null, requestId: null },
    new Date(),
  );
  return `docloom-session=${started.secret}`;
}

beforeAll(async () => {
  pages = await startPages();
  cookie = await pages.signIn();
  spaceId = (await api('POST', `${address()}/spaces`, { body: { title: 'Guide' } })).body.id;
  const change = (await api('POST', `/spaces/${spaceId}/change-requests`, { body: {} })).body.id;
  const at = `/spaces/${spaceId}/change-requests/${change}`;
  const write = (path: string, text: string) => ({ type: 'write', path, text });
  await api('POST', `${at}/content`, {
    body: {
      changes: [
        write('README.md', '# Guide\n\nWelcome.\n'),
        write('SUMMARY.md', '# Contents\n\n* [Guide](README.md)\n* [Tokens](api/tokens.md)\n'),
        write('api/tokens.md', '# Tokens\n\n## Rotating tokens\n\nRotate a token [here](gone.md).\n'),
      ],
    },
  });
  await api('POST', `${at}/merge`);
  const asked = (id: string, body: string) => ({
    id,
    metadata: { url: `https://desk.example/${id}`, attributes: { source: 'zendesk' } },
    parts: [{ type: 'message', role: 'user', body }],
  });
  await api('POST', `${address()}/conversations`, {
    body: [
      asked('1', 'How do I rotate a {{token}}? Mail ada@example.com.'),
      asked('2', 'Why did rotating a token log me out of <b>everything</b> at https://x.example?'),
    ],
  });
  clusterId = await waitFor(
    async () => (await api('GET', `${address()}/conversations-clusters`)).body.items[0]?.id,
  );
});
afterAll(() => pages?.close());

test('groups are listed with their pulse, and lead to their pages', async () => {
  const page = await show(address('/conversations'));
  expect(page).toContain(`href="${address(`/conversations/${clusterId}`)}"`);
  expect(page).toContain('2 questions · zendesk');
  expect(page).toMatch(/role="img"[^>]*aria-label="In each of the past 13 weeks[^"]*, 2"/);
  const { urls } = (await api('GET', `${address()}/conversations-clusters/${clusterId}`)).body;
  const { pathname } = new URL(urls.app);
  expect((await pages.get(pathname, { cookie })).status).toBe(200);
  expect(await show(address('/conversations?order=issues'))).toContain('value="issues" selected');
  const fromDesk = await show(address('/conversations?source=integration%3Azendesk%3Aapi'));
  expect(fromDesk).toContain('value="integration:zendesk:api" selected>zendesk</option>');
  expect(fromDesk).toContain('1 group<');
  expect(await show(address('/conversations?source=email'))).toContain('something is from this source');
});

test('a group shows who asked where, the pages that are near, and what is broken there', async () => {
  const page = await show(address(`/conversations/${clusterId}`));
  expect(page).toContain('How do I rotate a {{token}}?');
  expect(page).toContain('href="https://desk.example/1"');
  expect(page).not.toContain('<b>everything');
  expect(page).toContain('Rotating tokens');
  expect(page).toMatch(/Broken<\/span> <code>gone\.md<\/code>/);
  expect(page).toContain('After “Tokens” in Guide');
});

test('conversations are listed by their source, and read as they were stored', async () => {
  const list = await show(address('/conversations/all?source=integration:zendesk:api'));
  expect(list).toContain('2 conversations');
  const none = await show(address('/conversations/all?source=email'));
  expect(none).toContain('No conversation is from this source.');
  const [path] = /\/orgs\/[^"]*\/conversations\/all\/[^"]+/.exec(list) ?? [''];
  const one = await show(path);
  expect(one).toMatch(/Mail \[email\]|&#60;b&#62;everything/);
});

test('a group becomes a page in a change request, beside the page that is nearest', async () => {
  const form = { title: 'Rotate a token', place: '' };
  const path = address(`/conversations/${clusterId}/page`);
  const refused = await pages.post(path, form, { cookie });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('Choose where the page goes.');
  const [, place = ''] =
    /<option value="([^"]+)" selected>After/.exec(await show(address(`/conversations/${clusterId}`))) ?? [];
  const answer = await pages.post(path, { ...form, place }, { cookie });
  expect(answer.status).toBe(303);
  const location = answer.headers.get('location') ?? '';
  expect(location).toMatch(/\/edit\?path=api%2Frotate-a-token\.md&cr=2&done=created$/);
  expect((await pages.get(location, { cookie })).status).toBe(200);
  const change = (await api('GET', `/spaces/${spaceId}/change-requests/2`)).body;
  expect(change).toMatchObject({ subject: 'Write “Rotate a token”', status: 'draft' });
  const source = async (file: string) =>
    (await api('GET', `/spaces/${spaceId}/editing/source?path=${encodeURIComponent(file)}&changeRequest=2`))
      .body.text;
  const lines = (await source('api/rotate-a-token.md')).split('\n');
  expect(lines.slice(0, 4)).toEqual(['# Rotate a token', '', 'People ask:', '']);
  expect(lines.slice(4).toSorted()).toEqual([
    '',
    '- How do I rotate a ((token))?',
    expect.stringMatching(/^- Why did rotating a token log me out of everything/),
  ]);
  expect(await source('SUMMARY.md')).toContain(
    '[Tokens](api/tokens.md)\n* [Rotate a token](api/rotate-a-token.md)',
  );
  // What cannot be is said before anything is made.
  const taken = await pages.post(path, { title: 'Tokens', place, again: 'yes' }, { cookie });
  expect(taken.status).toBe(409);
  expect(await taken.text()).toContain('api/tokens.md');
  expect((await api('GET', `/spaces/${spaceId}/change-requests`)).body.count).toBe(2);
});

test('a group shows the change request that answers it, and a second one is only opened where it is asked for', async () => {
  const group = address(`/conversations/${clusterId}`);
  const shown = await show(group);
  expect(shown).toMatch(
    new RegExp(`href="/spaces/${spaceId}/change-requests/2">Write “Rotate a token”</a>[^]*?Being written<`),
  );
  expect(shown).toContain('<summary>Write another page</summary>');
  const form = { title: 'Keep tokens', place: `${spaceId}/` };
  const refused = await pages.post(`${group}/page`, form, { cookie });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('is being written already');
  const again = await pages.post(`${group}/page`, { ...form, again: 'yes' }, { cookie });
  expect(again.headers.get('location')).toContain('cr=3');
  const changes = (query: string) => api('GET', `${address()}/change-requests?${query}`);
  const { items } = (await changes(`cluster=${clusterId}`)).body;
  expect(items.map(({ number }: { number: number }) => number).toSorted()).toEqual([2, 3]);
  expect((await changes('cluster=none')).body.count).toBe(0);
  for (const { number } of items)
    await api('PATCH', `/spaces/${spaceId}/change-requests/${number}`, { body: { status: 'archived' } });
  const left = await show(group);
  expect(left).toContain('Given up');
  expect(left).not.toContain('Write another page');
  const { status, body } = await api('POST', `/spaces/${spaceId}/change-requests`, {
    body: { cluster: 'none' },
  });
  expect(status).toBe(400);
  expect(body.error.details[0].path).toBe('/body/cluster');
});

test('of two who press at the same moment, one opens the page and the other is told', async () => {
  const path = address(`/conversations/${clusterId}/page`);
  const press = (title: string) => pages.post(path, { title, place: `${spaceId}/` }, { cookie });
  const answers = await Promise.all(['Keep a token', 'Hold a token'].map(press));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  const told = answers.find(({ status }) => status === 400);
  expect(await told?.text()).toContain('is being written already');
  const other = (await api('POST', `${address()}/spaces`, { body: { title: 'Other' } })).body.id;
  const { status, body } = await api('POST', `/spaces/${other}/change-requests`, {
    body: { cluster: clusterId },
  });
  expect([status, body.error.reason]).toEqual([409, 'being-written']);
  const { items } = (await api('GET', `${address()}/change-requests?cluster=${clusterId}&status=draft`)).body;
  expect(items).toHaveLength(1);
});

test('only those who write docs see them', async () => {
  const reader = await signInAs('comment');
  expect(await show(address(), reader)).not.toContain(address('/conversations'));
  for (const part of ['', '/all', `/${clusterId}`])
    expect((await pages.get(address(`/conversations${part}`), { cookie: reader })).status).toBe(404);
  const writer = await signInAs('edit');
  expect(await show(address(), writer)).toContain(`href="${address('/conversations')}"`);
  expect((await pages.get(address(`/conversations/${clusterId}`), { cookie: writer })).status).toBe(200);
});

test('agent instructions are edited as text, each version with who wrote it', async () => {
  const path = address('/instructions');
  const before = await show(path);
  for (const use of ['Answers to questions', 'What people ask, and its groups', 'Translations'])
    expect(before).toMatch(
      new RegExp(`${use}<p class="small soft">No model is set: [^]*?<span class="state">Not used</span>`),
    );
  expect(before).toContain('Nobody has written any.');
  const save = (instructions: string) => pages.post(path, { instructions }, { cookie });
  expect((await save('Write “space”, not “book”.\r\n\r\nBe short.')).status).toBe(303);
  expect((await save('Be very short.')).status).toBe(303);
  const after = await show(path);
  expect(after).toContain('\nBe very short.</textarea>');
  expect(after).toContain('Write “space”, not “book”.\n\nBe short.');
  expect(after).toMatch(/Version 2, by [^<]+[\s\S]*Version 1, by /);
  expect((await save('x'.repeat(20_001))).status).toBe(400);
  const reader = await signInAs('read');
  expect(await show(path, reader)).not.toContain('<textarea');
});
