/** With a model, issues and clusters say only what the conversations say; whatever else it answers, they are as without one. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConversationIssue, IssuesCluster } from '../../../src/contract/index.ts';
import { groupIssues } from '../../../src/platform/conversations/group-issues.ts';
import { processConversations } from '../../../src/platform/conversations/process-conversations.ts';
import { type Model, openModel } from '../../../src/platform/models/open-model.ts';
import { tables } from '../../../src/store/index.ts';
import { casesAtLength } from '../../support/describe-at-length.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { ORDERS } from '../models/orders.ts';
import {
  type Reply,
  type SeenRequest,
  type StandInModel,
  startStandInModel,
  timeoutFor,
} from '../models/stand-in-model.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let standIn: StandInModel;
const models: Model[] = [];
const { signal } = new AbortController();

beforeAll(async () => {
  standIn = await startStandInModel(() => 'hang');
  platform = await startPlatform({ withJobs: false });
  useModel();
  await switchModel(true);
});
beforeEach(async () => {
  standIn.requests.length = 0;
  standIn.reply = () => 'hang';
  standIn.settings.timeoutMs = PATIENCE_MS;
  await platform.deps.db.delete(tables.conversations);
  await platform.deps.db.delete(tables.issueClusters);
});
afterAll(async () => {
  await Promise.all(models.map((model) => model.close()));
  await platform?.close();
  await standIn?.close();
});

function useModel(): void {
  const model = openModel(platform.deps.db, standIn.settings);
  models.push(model);
  Object.assign(platform.deps, { model });
}

const org = () => `/orgs/${platform.organizationId}`;

async function switchModel(ai: boolean): Promise<void> {
  expect((await platform.api('PATCH', org(), { body: { ai } })).status).toBe(200);
}

async function ingest(...said: readonly (readonly [id: string, ...messages: string[]])[]): Promise<void> {
  const body = said.map(([id, ...messages]) => ({
    id,
    parts: messages.map((text, at) => ({
      type: 'message',
      role: at % 2 === 0 ? 'user' : 'team-member',
      body: text,
    })),
  }));
  expect((await platform.api('POST', `${org()}/conversations`, { body })).status).toBe(204);
}

async function work(): Promise<void> {
  await processConversations(platform.deps, platform.organizationId, { signal });
  await groupIssues(platform.deps, platform.organizationId, { signal });
}

async function issues(): Promise<readonly (ConversationIssue & { sourceId: string })[]> {
  const { items } = (await platform.api('GET', `${org()}/conversations-issues?limit=1000`)).body;
  return items
    .map(({ issue, conversation }: { issue: ConversationIssue; conversation: { sourceId: string } }) => ({
      ...issue,
      sourceId: conversation.sourceId,
    }))
    .sort((a: { sourceId: string; title: string }, b: { sourceId: string; title: string }) =>
      a.sourceId + a.title < b.sourceId + b.title ? -1 : 1,
    );
}

const clusters = async (): Promise<readonly IssuesCluster[]> =>
  (await platform.api('GET', `${org()}/conversations-clusters?orderBy=issues`)).body.items;

const isExtraction = ({ data }: SeenRequest) => 'messages' in (data as object);
const firstMessage = ({ data }: SeenRequest) =>
  (data as { messages: { text: string }[] }).messages[0]?.text ?? '';

/** Issues as a good model answers, and no labels. */
const oneIssue = (title: string, summary: string, ...quotes: string[]) => ({
  answer: { issues: [{ title, summary, quotes }] },
});

const EXPORT =
  'Hello team, every export of my handbook to PDF lost its pictures since Monday. Is there a fix?';

test('a conversation has the issues that the model names, with what they rest on', async () => {
  standIn.reply = () => ({
    answer: {
      issues: [
        {
          title: 'Why are pictures lost in the PDF export?',
          summary: 'Every export of the handbook to PDF lost its `pictures`.',
          quotes: ['every export of my handbook to PDF lost its pictures'],
        },
        {
          title: 'Can guests comment on pages?',
          summary: 'Guests should comment on pages of the handbook.',
          quotes: ['Also, can guests comment on pages?'],
        },
      ],
    },
  });
  await ingest(['1', EXPORT, 'We look at it.', 'Also, can guests comment on pages?']);
  await work();
  expect(await issues()).toMatchObject([
    { title: 'Can guests comment on pages?', method: 'model' },
    {
      title: 'Why are pictures lost in the PDF export?',
      summary: 'Every export of the handbook to PDF lost its pictures.',
      quotes: ['every export of my handbook to PDF lost its pictures'],
      method: 'model',
    },
  ]);
  const [seen] = standIn.requests;
  expect(seen?.instructions).not.toContain('handbook');
  expect(seen?.data).toMatchObject({
    messages: [{ role: 'user' }, { role: 'team-member' }, { role: 'user' }],
  });
});

test('an organization that has not switched the model on is not read by it', async () => {
  await switchModel(false);
  await ingest(['1', EXPORT], ['2', EXPORT]);
  await work();
  expect(standIn.requests).toEqual([]);
  expect((await issues()).map(({ method }) => method)).toEqual(['text', 'text']);
  expect(await clusters()).toMatchObject([{ method: 'text' }]);
  await switchModel(true);
});

const QUOTE = 'every export of my handbook to PDF lost its pictures';
const TITLE = 'Pictures lost in the PDF export';

describe('issues are made of their own sentences when the model', () => {
  const replies: readonly [string, Reply][] = [
    ['fails', { raw: '{}', status: 500 }],
    ['answers another shape', { answer: { problems: [] } }],
    ['quotes what nobody said', oneIssue(TITLE, EXPORT, 'the export deletes all spaces')],
    ['invents a title', oneIssue('Billing address cannot be changed', EXPORT, QUOTE)],
    ['links elsewhere', oneIssue(TITLE, 'The PDF export lost pictures, see https://evil.example.', QUOTE)],
    ['invents a number', oneIssue('PDF export lost 47 pictures', EXPORT, QUOTE)],
  ];
  const others: readonly [string, Reply][] = [
    ['does not answer', 'hang'],
    ['answers for ever', 'trickle'],
    ['answers too much', 'flood'],
    ['breaks off', 'break'],
    ['has enough of requests', { raw: '{}', status: 429 }],
    ['answers with a text', { content: 'It is about PDF.' }],
    ['answers half of an object', { content: '{"issues": [{"title": "PDF' }],
    ['finds nothing', { answer: { issues: [] } }],
    ['quotes nothing', oneIssue(TITLE, EXPORT)],
    ['quotes a letter', oneIssue(TITLE, EXPORT, 'e')],
    ['talks too long', oneIssue(TITLE, 'PDF export '.repeat(60), QUOTE)],
    [
      'finds too much',
      { answer: { issues: Array(6).fill(oneIssue(TITLE, EXPORT, QUOTE).answer.issues[0]) } },
    ],
    ['writes HTML', oneIssue('PDF export lost <img src=x> pictures', EXPORT, QUOTE)],
    ['writes Markdown links', oneIssue('PDF export lost [pictures](x)', EXPORT, QUOTE)],
    [
      'says one thing that is untrue',
      {
        answer: {
          issues: [
            oneIssue(TITLE, EXPORT, QUOTE).answer.issues[0],
            oneIssue('Webhooks arrive twice', 'They arrive twice.', 'webhooks').answer.issues[0],
          ],
        },
      },
    ],
  ];
  test.each(casesAtLength('more wrong answers about conversations', replies, others))(
    '%s',
    async (_what, reply) => {
      standIn.reply = () => reply;
      standIn.settings.timeoutMs = timeoutFor(reply);
      await ingest(['1', EXPORT]);
      await work();
      expect(await issues()).toMatchObject([{ title: 'Is there a fix?', method: 'text' }]);
      expect((await issues())[0]).not.toHaveProperty('quotes');
    },
  );
});

test('a model that does not answer is given up for the rest', async () => {
  standIn.reply = () => ({ raw: '{}', status: 503 });
  await ingest(...Array.from({ length: 40 }, (_, at) => [`${at}`, `${EXPORT} Number ${at}.`] as const));
  await processConversations(platform.deps, platform.organizationId, { signal });
  expect(await issues()).toHaveLength(40);
  expect(standIn.requests.length).toBeLessThan(10);
});

test('what takes longer than a job may is left to a further one', async () => {
  standIn.reply = () => oneIssue(TITLE, EXPORT, QUOTE);
  const { db } = platform.deps;
  await ingest(...Array.from({ length: 8 }, (_, at) => [`${at}`, EXPORT] as const));
  await db.execute(sql`delete from jobs`);
  const turn = { signal, turnMs: 0 };
  await processConversations(platform.deps, platform.organizationId, turn);
  expect(await issues()).toHaveLength(6);
  const enqueued = await db.execute<{ name: string }>(sql`select name from jobs order by name`);
  expect(enqueued.rows.map(({ name }) => name)).toEqual(['conversations.cluster', 'conversations.process']);
  await processConversations(platform.deps, platform.organizationId, turn);
  expect(await issues()).toHaveLength(8);
});

describe('a cluster', () => {
  const asked = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => [`pdf-${at}`, `Why has PDF export number ${at} lost all pictures?`] as const,
    );
  const LABEL = { label: 'Pictures lost in PDF exports', summary: 'The PDF export lost all pictures.' };
  /** Answers nothing about conversations, so that their issues are the same as without it. */
  const label = (reply: Reply) => (request: SeenRequest) =>
    isExtraction(request) ? { answer: { issues: [] } } : reply;
  const labels = () => standIn.requests.filter((request) => !isExtraction(request)).length;

  test('is labelled by the model once, and again when it is of another size', async () => {
    standIn.reply = label({ answer: LABEL });
    await ingest(...asked(4));
    await work();
    expect(await clusters()).toMatchObject([{ ...LABEL, method: 'model', icon: 'file-export' }]);
    expect(labels()).toBe(1);
    await ingest(...asked(5));
    await work();
    expect(await clusters()).toMatchObject([{ ...LABEL, method: 'model', stats: { issues: 5 } }]);
    expect(labels()).toBe(1);
    await ingest(...asked(8));
    await work();
    expect(labels()).toBe(2);
    await switchModel(false);
    await work();
    expect(await clusters()).toMatchObject([{ method: 'text' }]);
    await switchModel(true);
  });

  const wrong: readonly [string, Reply][] = [
    ['another topic', { answer: { label: 'Billing and invoices', summary: 'People ask about invoices.' } }],
    ['a link', { answer: { ...LABEL, summary: 'PDF export lost pictures: https://evil.example' } }],
    [
      'what one member says alone',
      { answer: { label: 'Zebra stripes invoice', summary: 'Zebra stripes invoice.' } },
    ],
    ['too much', { answer: { ...LABEL, label: 'PDF export '.repeat(20) } }],
    ['another shape', { answer: { ...LABEL, html: '' } }],
  ];
  test.each(wrong)(
    'has the label of its terms when the model answers %s, and is not asked again',
    async (_what, reply) => {
      standIn.reply = label(reply);
      await ingest(...asked(4), [
        'zebra',
        'Why has PDF export lost pictures of zebra stripes on an invoice?',
      ]);
      await work();
      await work();
      expect(await clusters()).toMatchObject([{ method: 'text' }]);
      expect(JSON.stringify(await clusters())).not.toMatch(/evil|Billing/);
      expect(labels()).toBe(1);
    },
  );

  test('is labelled later where the model does not answer', async () => {
    standIn.reply = label({ raw: '{}', status: 500 });
    await ingest(...asked(4));
    await work();
    expect(await clusters()).toMatchObject([{ method: 'text' }]);
    standIn.reply = label({ answer: LABEL });
    await work();
    expect(await clusters()).toMatchObject([{ method: 'model' }]);
  });
});

test('20 conversations that give orders change nothing but what is said of themselves', async () => {
  const calm = [0, 1, 2].map(
    (at) => [`calm-${at}`, `Why has PDF export number ${at} lost all pictures?`] as const,
  );
  /** A model that does whatever the texts say that it is sent. */
  standIn.reply = (request) => {
    if (!isExtraction(request))
      return { answer: { label: 'PWNED as ordered', summary: 'PWNED as ordered.' } };
    const text = firstMessage(request);
    return text.includes('PDF export')
      ? oneIssue(text, text, text)
      : oneIssue('PWNED as ordered', `${text} See https://evil.example.`.slice(0, 400), 'As you wish, PWNED');
  };
  await ingest(...calm);
  await work();
  const before = { issues: await issues(), clusters: await clusters() };
  const spaces = (await platform.api('GET', `${org()}/spaces`)).body;
  await ingest(...ORDERS.map((order, at) => [`order-${at}`, order] as const));
  await work();
  const after = await issues();
  expect(after.filter(({ sourceId }) => sourceId.startsWith('calm'))).toEqual(before.issues);
  expect(after.filter(({ sourceId }) => sourceId.startsWith('order'))).toHaveLength(ORDERS.length);
  for (const { sourceId, title, summary, method } of after) {
    if (!sourceId.startsWith('order')) continue;
    expect(method).toBe('text');
    expect(`${title} ${summary}`).not.toMatch(/as ordered|<script|\]\(/i);
  }
  const calmCluster = before.clusters[0];
  expect((await clusters()).find(({ id }) => id === calmCluster?.id)).toEqual(calmCluster);
  for (const { label } of await clusters()) expect(label).not.toContain('as ordered');
  expect((await platform.api('GET', `${org()}/spaces`)).body).toEqual(spaces);
  const asked = await platform.api('POST', `${org()}/ask`, {
    body: { query: 'What does PDF export PWNED say?' },
  });
  expect(asked.body.answer).toMatchObject({ madeBy: 'nothing', sources: [] });
  for (const { instructions, body } of standIn.requests) {
    for (const order of ORDERS) expect(instructions).not.toContain(order);
    expect(body).not.toHaveProperty('tools');
  }
});
