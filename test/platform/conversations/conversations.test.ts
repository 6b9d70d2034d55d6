import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldRows, tables } from '../../../src/store/index.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.close());

const org = () => `/orgs/${platform.organizationId}`;
const ask = (body: string) => [{ type: 'message', role: 'user', body }];
const ingest = async (body: unknown) => await platform.api('POST', `${org()}/conversations`, { body });
const list = async (query = '') => (await platform.api('GET', `${org()}/conversations${query}`)).body;

async function processed(count: number) {
  await waitFor(async () => {
    const { items } = await list('?limit=1000');
    return items.length === count && items.every((item: { processedAt?: string }) => item.processedAt);
  });
}

test('a conversation is stored once for its id, redacted, and becomes an issue', async () => {
  const ticket = {
    id: 'ada@example.com/1',
    subject: 'Card 4111 1111 1111 1111',
    metadata: {
      url: 'https://desk.example/t/1?key=ghp_a1B2a1B2a1B2a1B2a1B2a1B2',
      attributes: { source: 'zendesk', mail: 'ada@example.com' },
      createdAt: '2026-01-02T04:00:00+01:00',
    },
    parts: ask('I am ada@example.com. How do I export a space as PDF?'),
  };
  expect((await ingest(ticket)).status).toBe(204);
  expect((await ingest([ticket, ticket])).status).toBe(204);
  await processed(1);
  const { items, count } = await list('?source=integration:zendesk:api');
  expect(count).toBe(1);
  expect(items[0]).toMatchObject({
    object: 'conversation',
    sourceId: '[email]/1',
    subject: 'Card [card]',
    createdAt: '2026-01-02T03:00:00.000Z',
    urls: { source: 'https://desk.example/t/1?key=redacted' },
  });
  const { id } = items[0];
  const content = (await platform.api('GET', `${org()}/conversations/${id}`)).body;
  expect(content.parts).toEqual(ask('I am [email]. How do I export a space as PDF?'));
  expect(content.metadata.attributes).toEqual({ source: 'zendesk', mail: '[email]' });
  const issues = (await platform.api('GET', `${org()}/conversations-issues?conversation=${id}`)).body;
  expect(issues.items).toMatchObject([
    {
      issue: { title: 'How do I export a space as PDF?', method: 'text', conversation: id },
      conversation: { id },
    },
  ]);
  const issueId = issues.items[0].issue.id;

  expect((await ingest({ ...ticket, parts: ask('How do I print it?') })).status).toBe(204);
  await waitFor(async () => {
    const { body } = await platform.api('GET', `${org()}/conversations-issues/${issueId}`);
    return body.issue.title === 'How do I print it?';
  });
  expect((await list()).count).toBe(1);
  const rows = await platform.deps.db.execute(
    sql`select ${tables.conversations}::text as row from ${tables.conversations}`,
  );
  expect(JSON.stringify(rows.rows)).not.toMatch(/ada@|4111|ghp_/);
});

test.each([
  [
    'a source that is none',
    { metadata: { attributes: { source: 'a b' } } },
    '/body/metadata/attributes/source',
  ],
  ['an address that is none of the web', { metadata: { url: 'javascript:alert(1)' } }, '/body/metadata/url'],
  ['a day that is none', { metadata: { createdAt: '2026-02-31T25:00:00Z' } }, '/body/metadata/createdAt'],
  ['a part that is no message', { parts: [{ type: 'file', role: 'user', body: '' }] }, '/body/parts/0/type'],
  ['an unknown field', { tags: [] }, '/body/tags'],
])('%s is refused', async (_name, fields, path) => {
  const { status, body } = await ingest({ id: 'bad', parts: [], ...fields });
  expect(status).toBe(400);
  expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  expect(
    (await list('?limit=1000')).items.some((item: { sourceId: string }) => item.sourceId === 'bad'),
  ).toBe(false);
});

test('pages are stable, and the same id of two sources is two conversations', async () => {
  const before = (await list()).count;
  const many = [1, 2, 3].flatMap((id) =>
    ['email', 'intercom'].map((source) => ({
      id: `many-${id}`,
      metadata: { attributes: { source } },
      parts: ask(`Why is build ${id} slow?`),
    })),
  );
  expect((await ingest(many)).status).toBe(204);
  await processed(before + 6);
  const first = await list('?limit=4');
  const rest = await list(`?limit=1000&page=${first.next.page}`);
  const ids = [...first.items, ...rest.items].map((item: { id: string }) => item.id);
  expect(new Set(ids).size).toBe(before + 6);
  expect((await list('?source=email')).count).toBe(3);
  expect(
    (await platform.api('GET', `${org()}/conversations?source=email&page=${first.next.page}`)).status,
  ).toBe(400);
});

test('what is too old is deleted, with its issues', async () => {
  const { db } = platform.deps;
  await db.execute(sql`update ${tables.conversations} set ingested_at = now() - interval '40 days'
    where source = 'email'`);
  await removeOldRows(db, AbortSignal.timeout(60_000), { conversationDays: 30 });
  expect((await list('?source=email')).count).toBe(0);
  expect(await db.$count(tables.conversationIssues)).toBe(await db.$count(tables.conversations));
});

test('the conversations of a source are deleted, all or one, and the audit log says so', async () => {
  const of = (source: string, id: string) => ({
    id,
    metadata: { attributes: { source } },
    parts: ask(`Is ${id} deleted?`),
  });
  await ingest([of('gone', 'a'), of('gone', 'b'), of('stays', 'a')]);
  const remove = async (query: string) =>
    (await platform.api('DELETE', `${org()}/conversations-sources/integration:gone:api${query}`)).status;
  const sourcesOf = async () => {
    const { items } = await list('?limit=1000');
    return items
      .map((item: { source: string; sourceId: string }) => `${item.source} ${item.sourceId}`)
      .filter((text: string) => /gone|stays/.test(text))
      .toSorted();
  };
  expect(await remove('?id=a')).toBe(204);
  expect(await remove('?id=a')).toBe(204);
  expect(await sourcesOf()).toEqual(['integration:gone:api b', 'integration:stays:api a']);
  expect(await remove('')).toBe(204);
  expect(await sourcesOf()).toEqual(['integration:stays:api a']);
  const { rows } = await platform.deps.db.execute(
    sql`select "before" from audit_events where action = 'conversations.delete' order by at`,
  );
  expect(rows).toEqual([
    { before: { source: 'integration:gone:api', conversations: 1 } },
    { before: { source: 'integration:gone:api', conversations: 1 } },
  ]);
});
