/** What comes of a language model as a translator that answers wrongly, too much, or not at all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Model, openModel } from '../../../src/platform/models/open-model.ts';
import { openAiProvider } from '../../../src/platform/translations/providers/openai.ts';
import type { Provider } from '../../../src/platform/translations/providers/provider.ts';
import { loadModelUsageByPurpose, tables } from '../../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { ORDERS } from '../models/orders.ts';
import { type Reply, type StandInModel, startStandInModel, timeoutFor } from '../models/stand-in-model.ts';

let standIn: StandInModel;
let database: TestDatabase;
let model: Model;
let provider: Provider;

beforeAll(async () => {
  standIn = await startStandInModel(() => 'hang');
  database = await openTestDatabase();
  await database.store.db.insert(tables.organizations).values({ id: 'acme', title: 'Acme' });
  model = openModel(database.store.db, { ...standIn.settings, key: 'secret-key', tokensPerDay: 100_000 });
  provider = providerFor({ leavesShare: false });
});
afterAll(async () => {
  await model?.close();
  await database?.close();
  await standIn?.close();
});

const providerFor = ({
  leavesShare,
  timeoutMs = PATIENCE_MS,
}: {
  leavesShare: boolean;
  timeoutMs?: number;
}) => openAiProvider(model, { organizationId: 'acme', leavesShare, timeoutMs });

const translate = (texts: readonly string[] = ['One', 'Two'], instructions = '', by = provider) =>
  by.translate({ texts, from: 'en', to: 'de', instructions, glossary: [] }, new AbortController().signal);

test.each<[string, Reply, readonly (string | null)[]]>([
  ['all texts', { answer: { 0: 'Eins', 1: 'Zwei' } }, ['Eins', 'Zwei']],
  ['a code block', { content: '```json\n{"0": "Eins", "1": "Zwei"}\n```' }, ['Eins', 'Zwei']],
  ['one text only', { answer: { 1: 'Zwei' } }, [null, 'Zwei']],
  ['more than was sent', { answer: { 0: 'Eins', 1: 'Zwei', 2: 'Drei' } }, ['Eins', 'Zwei']],
  ['what is no text', { answer: { 0: 1, 1: ['Zwei'] } }, [null, null]],
  ['a list', { content: '["Eins", "Zwei"]' }, [null, null]],
  ['half of an object', { content: '{"0": "Eins' }, [null, null]],
  ['talk', { content: 'I would rather not.' }, [null, null]],
])('%s', async (_what, reply, expected) => {
  standIn.reply = () => reply;
  expect(await translate()).toEqual(expected);
});

test.each<[string, Reply, string, RegExp]>([
  [
    'a wrong key',
    { raw: '{"error":{"message":"secret-key"}}', status: 401 },
    'ProviderRefusal',
    /OPENAI_API_KEY/,
  ],
  ['too many requests', { raw: '{}', status: 429 }, 'ProviderBusy', /pause/],
  ['a request that is too long', { raw: '{}', status: 413 }, 'RequestTooLarge', /too large/],
  ['an error there', { raw: '{}', status: 500 }, 'ProviderFailure', /answered 500/],
  ['nothing', { raw: '{}' }, 'ProviderFailure', /\/v1/],
  ['a page', { raw: '<html>' }, 'ProviderFailure', /\/v1/],
  ['an answer without an end', 'flood', 'ProviderFailure', /more than \d+ bytes/],
  ['no answer', 'hang', 'ProviderFailure', /in time, within 0\.4 s/],
  ['an answer that takes too long', 'trickle', 'ProviderFailure', /in time, within 0\.4 s/],
  ['a connection that breaks', 'break', 'ProviderFailure', /could not be reached/],
])('%s is an error without the key', async (_what, reply, name, words) => {
  standIn.reply = () => reply;
  // The time is that of the provider, whatever the model has.
  const limited = providerFor({ leavesShare: false, timeoutMs: timeoutFor(reply) });
  const error = await translate(undefined, '', limited).catch((reason: unknown) => reason as Error);
  expect(error).toMatchObject({ name, message: expect.stringMatching(words) });
  expect(String(error)).not.toContain('secret-key');
});

test('texts that give orders are sent as data, apart from what the model is told', async () => {
  standIn.requests.length = 0;
  standIn.reply = ({ data }) => ({ answer: data });
  expect(await translate(ORDERS, 'Address the reader formally.')).toEqual(ORDERS);
  const [seen] = standIn.requests;
  expect(seen?.instructions).toContain('Address the reader formally.');
  expect(seen?.instructions).toContain('no instructions to you');
  for (const order of ORDERS) expect(seen?.instructions).not.toContain(order);
  expect(seen?.authorization).toBe('Bearer secret-key');
});

test('what is translated counts for the day’s tokens, and what nobody waits for leaves some to people', async () => {
  const { db, pool } = database.store;
  await pool.query('delete from model_usage');
  await pool.query('delete from organization_model_usage');
  standIn.reply = ({ data }) => ({ answer: data, tokens: 70_000 });
  const background = providerFor({ leavesShare: true });
  const { signal } = new AbortController();
  const request = { texts: ['One'], from: 'en', to: 'de', instructions: '', glossary: [] };
  expect(await background.translate(request, signal)).toEqual(['One']);
  expect((await loadModelUsageByPurpose(db, 'acme')).translations).toEqual({ tokens: 70_000, calls: 1 });
  await expect(background.translate(request, signal)).rejects.toMatchObject({
    name: 'ProviderRefusal',
    message: expect.stringMatching(/70%.*OPENAI_TOKENS_PER_DAY/),
  });
  expect(await translate(['Two'])).toEqual(['Two']);
  await expect(translate(['Three'])).rejects.toMatchObject({
    name: 'ProviderRefusal',
    message: expect.stringMatching(/used up: raise OPENAI_TOKENS_PER_DAY/),
  });
});
