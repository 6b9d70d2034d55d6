import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldRows, tables } from '../../../src/store/index.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.close());

const org = () => `/orgs/${platform.organizationId}`;
const clusters = async (query = '') =>
  (await platform.api('GET', `${org()}/conversations-clusters${query}`)).body;

async function ingest(...asked: [id: string, source: string, daysAgo: number, question: string][]) {
  const body = asked.map(([id, source, daysAgo, question]) => ({
    id,
    metadata: {
      attributes: { source },
      createdAt: new Date(Date.now() - daysAgo * DAY_MS - 60_000).toISOString(),
    },
    parts: [{ type: 'message', role: 'user', body: question }],
  }));
  expect((await platform.api('POST', `${org()}/conversations`, { body })).status).toBe(204);
}

const issuesOf = (list: { items: { stats: { issues: number } }[] }) =>
  list.items.map(({ stats }) => stats.issues);

test('issues about the same are a cluster, with its pulse, sources and counts, and a lasting id', async () => {
  await ingest(
    ['1', 'email', 0, 'How do I export a space as PDF?'],
    ['2', 'zendesk', 8, 'Why has my PDF export no images?'],
    ['3', 'zendesk', 89, 'Does exporting to PDF work for large spaces?'],
    ['4', 'email', 1, 'Can I sign in with SAML?'],
    ['5', 'email', 200, 'Why does SAML sign in loop?'],
    ['6', 'email', 3, 'Are webhooks retried?'],
  );
  await waitFor(async () => (await clusters()).count === 2);
  const list = await clusters();
  const [pdf, saml] = list.items;
  expect(pdf).toMatchObject({
    object: 'issues-cluster',
    method: 'text',
    icon: 'file-export',
    sources: { email: 1, 'integration:zendesk:api': 2 },
    stats: { issues: 3, conversations: 3, tasksTotal: 0 },
    weeklyPulse: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
  });
  expect(pdf.label).toMatch(/PDF/);
  expect(saml.weeklyPulse).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(Date.parse(saml.createdAt)).toBeLessThan(Date.now() - 199 * DAY_MS);
  const members = await platform.api('GET', `${org()}/conversations-issues?cluster=${saml.id}`);
  expect(members.body.count).toBe(2);

  await ingest(
    ['7', 'email', 2, 'Which SAML sign in providers are there?'],
    ['8', 'email', 2, 'Sign in by SAML?'],
  );
  await waitFor(async () => issuesOf(await clusters()).includes(4));
  expect((await platform.api('GET', `${org()}/conversations-clusters/${saml.id}`)).body.stats.issues).toBe(4);
  expect((await platform.api('GET', `${org()}/conversations-clusters/${pdf.id}`)).body.id).toBe(pdf.id);
  expect((await platform.api('GET', `${org()}/conversations-clusters/none`)).status).toBe(404);
});

test.each([
  ['?orderBy=issues', [4, 3]],
  ['?orderBy=issues&order=asc', [3, 4]],
  ['?orderBy=conversations', [4, 3]],
  ['?orderBy=updatedAt&order=asc', [4, 3]],
])('clusters are listed in order: %s', async (query, expected) => {
  const whole = await clusters(query);
  expect(issuesOf(whole)).toEqual(expected);
  const first = await clusters(`${query}&limit=1`);
  const second = await clusters(`${query}&limit=1&page=${first.next.page}`);
  expect([...first.items, ...second.items]).toEqual(whole.items);
  expect(second.next).toBeUndefined();
});

test('clusters are filtered by a source that some of their issues are from', async () => {
  const zendesk = await clusters('?source=integration:zendesk:api');
  expect([zendesk.count, issuesOf(zendesk)]).toEqual([1, [3]]);
  expect((await clusters('?source=email')).count).toBe(2);
  expect((await clusters('?source=slack')).items).toEqual([]);
  const first = await clusters('?limit=1');
  const other = `${org()}/conversations-clusters?source=email&page=${first.next.page}`;
  expect((await platform.api('GET', other)).status).toBe(400);
  const { body } = await platform.api('GET', `${org()}/conversations-sources`);
  expect(body.items).toEqual([
    { source: 'email', conversations: 6 },
    { source: 'integration:zendesk:api', conversations: 2 },
  ]);
});

test('a cluster of which one issue is left is none', async () => {
  const { db } = platform.deps;
  await db.execute(
    sql`update ${tables.conversations} set ingested_at = now() - interval '40 days' where source like '%zendesk%'`,
  );
  await removeOldRows(db, AbortSignal.timeout(60_000), { conversationDays: 30 });
  const left = await clusters();
  expect(issuesOf(left)).toEqual([4]);
  expect(left.count).toBe(1);
  const { items } = (await platform.api('GET', `${org()}/conversations-issues?limit=1000`)).body;
  for (const { issue } of items) if (issue.cluster) expect(issue.cluster).toBe(left.items[0].id);
});

test('a cluster has the pages that say most of what it is about, with their broken links', async () => {
  const space = (await platform.api('POST', `${org()}/spaces`, { body: { title: 'Guide' } })).body.id;
  const change = (await platform.api('POST', `/spaces/${space}/change-requests`, { body: {} })).body.id;
  const write = (path: string, text: string) => ({ type: 'write', path, text });
  const at = `/spaces/${space}/change-requests/${change}`;
  await platform.api('POST', `${at}/content`, {
    body: {
      changes: [
        write('README.md', '# Guide\n\nWelcome.\n'),
        write('tokens.md', '# Tokens\n\n## Rotating tokens\n\nRotate a token [here](gone.md).\n'),
        write('colors.md', '# Colors\n\nChoose a palette.\n'),
      ],
    },
  });
  expect((await platform.api('POST', `${at}/merge`)).status).toBe(200);
  await ingest(
    ['t1', 'email', 0, 'How do I rotate a token?'],
    ['t2', 'email', 1, 'Does rotating a token end sessions?'],
  );
  const about = async () =>
    (await clusters()).items.find(({ label }: { label: string }) => /token/i.test(label));
  await waitFor(async () => (await about()) !== undefined);
  const cluster = await about();
  const { body } = await platform.api('GET', `${org()}/conversations-clusters/${cluster.id}/pages`);
  expect(body.items).toMatchObject([
    {
      space: { id: space, title: 'Guide' },
      page: { title: 'Tokens', path: 'tokens' },
      section: { title: 'Rotating tokens', text: expect.stringContaining('Rotate a token') },
      links: { total: 1, broken: 1 },
      urls: { app: expect.stringMatching(/\/spaces\/.+\/pages\/.+#rotating-tokens$/) },
    },
  ]);
  expect((await platform.api('GET', `${org()}/conversations-clusters/none/pages`)).status).toBe(404);
});
