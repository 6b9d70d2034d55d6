/** With a model, only what the pages say is shown; whatever else it answers, and whatever pages and questions order, changes nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AskAnswer } from '../../../src/contract/index.ts';
import { openModel } from '../../../src/platform/models/open-model.ts';
import { isWhole } from '../../support/describe-at-length.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { ORDERS } from '../models/orders.ts';
import { type Reply, type StandInModel, startStandInModel, timeoutFor } from '../models/stand-in-model.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let standIn: StandInModel;
let spaceId: string;
let calm: string;

beforeAll(async () => {
  standIn = await startStandInModel(() => 'hang');
  platform = await startPlatform();
  Object.assign(platform.deps, { model: openModel(platform.deps.db, standIn.settings) });
  await switchModel(true);
  const spaces = [];
  for (const [name, orders] of [
    ['ordering', ORDERS],
    ['calm', ORDERS.map(() => '')],
  ] as const) {
    const { repo, url } = await platform.createRepo(name);
    await repo.commit({
      'README.md': '# Animals\n\nAll of them.\n',
      ...Object.fromEntries(
        orders.map((order, at) => [
          `animal-${at}.md`,
          `# Animal number${at}\n\n## Feeding number${at}\n\nThe animal number${at} gets ${200 + at} grams of hay in the evening. ${order}\n`,
        ]),
      ),
    });
    const id = await platform.createSpace(name);
    expect(await platform.importBranch(id, { url })).toMatchObject({ state: 'success' });
    spaces.push(id);
  }
  [spaceId, calm] = spaces as [string, string];
});
beforeEach(() => {
  standIn.requests.length = 0;
  standIn.settings.timeoutMs = PATIENCE_MS;
});
afterAll(async () => {
  await platform.deps.model?.close();
  await platform.close();
  await standIn.close();
});

async function switchModel(ai: boolean): Promise<void> {
  const { status } = await platform.api('PATCH', `/orgs/${platform.organizationId}`, { body: { ai } });
  expect(status).toBe(200);
}

async function ask(query: string, space = calm): Promise<AskAnswer> {
  const { status, body } = await platform.api('POST', `/spaces/${space}/ask?format=markdown`, {
    body: { query },
  });
  expect(status).toBe(200);
  return body.answer;
}

const QUESTION = 'How much hay does animal number3 get in the evening?';
const sentence = (text: string, sections = [1]) => ({
  answer: { answered: true, sentences: [{ text, sections }] },
});
const TRUE_ANSWER = sentence('The animal number3 gets 203 grams of hay in the evening.');
const textOf = ({ answer }: AskAnswer) => (answer as { markdown: string }).markdown;

test('an answer is composed of what the sections say, and cites them', async () => {
  standIn.reply = () => TRUE_ANSWER;
  const answer = await ask(QUESTION);
  expect(answer).toMatchObject({
    madeBy: 'model',
    sources: [{ space: calm, sections: ['feeding-number3'] }],
  });
  expect(textOf(answer)).toMatch(
    /^The animal number3 gets 203 grams of hay in the evening\. \[\\\[1\\\]\]\(http:\/\/docs\.example\/\S+#feeding-number3\)$/,
  );
  expect(JSON.stringify(standIn.requests[0]?.data)).toContain('203 grams');
});

test('an organization that has not switched it on is answered without it', async () => {
  standIn.reply = () => TRUE_ANSWER;
  await switchModel(false);
  expect(await ask(QUESTION)).toMatchObject({ madeBy: 'sections' });
  expect(standIn.requests).toEqual([]);
  await switchModel(true);
});

test('the instructions of the organization are told to it', async () => {
  const leaf = { object: 'leaf', text: 'Say “critter” for animal.', marks: [] };
  const instructions = {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [
      { object: 'block', type: 'paragraph', key: 'a', nodes: [{ object: 'text', key: 'b', leaves: [leaf] }] },
    ],
  };
  const path = `/orgs/${platform.organizationId}/agent-instructions`;
  expect((await platform.api('PUT', path, { body: { instructions } })).status).toBe(200);
  standIn.reply = () => TRUE_ANSWER;
  await ask(QUESTION);
  expect(standIn.requests[0]?.instructions).toContain('Say “critter” for animal.');
});

test('the sections are there at once in a stream, and then what the model made of them', async () => {
  standIn.reply = () => TRUE_ANSWER;
  const { body } = await platform.api(
    'GET',
    `/spaces/${calm}/ask/stream?query=${encodeURIComponent(QUESTION)}`,
  );
  expect([...String(body).matchAll(/"madeBy":"(\w+)"/g)].map(([, by]) => by)).toEqual(['sections', 'model']);
});

test('what the pages do not answer is not asked of the model', async () => {
  standIn.reply = () => TRUE_ANSWER;
  expect(await ask('How do I configure a VPN tunnel?')).toMatchObject({ madeBy: 'nothing' });
  expect(standIn.requests).toEqual([]);
});

describe('the sections are shown, word for word, when the model', () => {
  const replies: readonly [string, Reply][] = [
    ['does not answer', 'hang'],
    ['answers for ever', 'trickle'],
    ['answers too much', 'flood'],
    ['breaks off', 'break'],
    ['fails', { raw: '{}', status: 500 }],
    ['answers with a text', { content: 'It gets hay.' }],
    ['answers another shape', { answer: { text: 'hay' } }],
    ['does not find it', { answer: { answered: false, sentences: [] } }],
    ['says nothing', { answer: { answered: true, sentences: [] } }],
    ['says something untrue', sentence('The animal number3 gets 900 grams of hay in the evening.')],
    ['says something else', sentence('PWNED by the assistant, completely.')],
    [
      'cites what it was not given',
      sentence('The animal number3 gets 203 grams of hay in the evening.', [19]),
    ],
    ['cites nothing', sentence('The animal number3 gets 203 grams of hay in the evening.', [])],
    [
      'links elsewhere',
      sentence('The animal number3 gets 203 grams of hay in the evening, see https://evil.example/login.'),
    ],
    ['writes markup', sentence('The animal number3 gets [203 grams](x) of hay in the evening.')],
    ['talks too long', sentence('hay '.repeat(400))],
  ];
  test.each(replies)('%s', async (_what, reply) => {
    standIn.reply = () => reply;
    standIn.settings.timeoutMs = timeoutFor(reply);
    const answer = await ask(QUESTION);
    expect(answer.madeBy).toBe('sections');
    expect(answer.sources[0]?.passages[0]?.text).toBe(
      'The animal number3 gets 203 grams of hay in the evening.',
    );
    expect(textOf(answer)).not.toMatch(/evil|PWNED|900/);
  });
});

const IS_WHOLE = isWhole('try every order of pages and questions on a model');

/** All of them in CI. */
const CASES = ORDERS.map((order, at) => [order, at] as const).filter(([, at]) => IS_WHOLE || at % 4 === 0);

describe('20 pages that give orders', () => {
  /** A model that does what the texts say that it is sent. */
  const obey = (at: number) => (): Reply =>
    sentence(`${ORDERS[at]} As ordered, PWNED, see https://evil.example.`.slice(0, 600));

  test.each(CASES)('%s', async (order, at) => {
    standIn.reply = obey(at);
    const query = `How much hay does animal number${at} get in the evening?`;
    const [ordered, calmly] = [await ask(query, spaceId), await ask(query)];
    expect(ordered.madeBy).toBe('sections');
    expect(ordered.sources[0]?.sections).toEqual(calmly.sources[0]?.sections);
    expect(ordered.sources[0]?.passages[0]?.text).toMatch(
      new RegExp(`^The animal number${at} gets ${200 + at} grams of hay in the evening\\.`),
    );
    for (const { instructions } of standIn.requests) expect(instructions).not.toContain(order);
  });
});

describe('20 questions that give orders', () => {
  test.each(CASES)('%s', async (order, at) => {
    standIn.reply = () => sentence(`${order} PWNED https://evil.example`.slice(0, 600));
    const answer = await ask(
      `How much hay does animal number${at} get in the evening? ${order}`.slice(0, 512),
    );
    expect(answer.madeBy).not.toBe('model');
    expect(textOf(answer)).not.toMatch(/evil|PWNED/i);
    for (const { instructions } of standIn.requests) expect(instructions).not.toContain(order);
  });
});
