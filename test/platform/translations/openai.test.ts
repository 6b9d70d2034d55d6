/** What comes of a language model as a translator that answers wrongly, too much, or not at all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Http } from '../../../src/net/index.ts';
import { createProviderHttp } from '../../../src/platform/translations/providers/choose-provider.ts';
import { openAiProvider } from '../../../src/platform/translations/providers/openai.ts';
import type { Provider } from '../../../src/platform/translations/providers/provider.ts';
import { ORDERS } from '../models/orders.ts';
import { type Reply, type StandInModel, startStandInModel } from '../models/stand-in-model.ts';

let standIn: StandInModel;
let http: Http;
let provider: Provider;

beforeAll(async () => {
  standIn = await startStandInModel(() => 'hang');
  const openai = { url: standIn.url, key: 'secret-key', model: 'stand-in' };
  http = createProviderHttp({ openai, maxWords: 1_000, requestsPerMinute: 1_000, timeoutMs: 300 });
  provider = openAiProvider(http, openai);
});
afterAll(async () => {
  await http?.close();
  await standIn?.close();
});

const translate = (texts: readonly string[] = ['One', 'Two'], instructions = '') =>
  provider.translate(
    { texts, from: 'en', to: 'de', instructions, glossary: [] },
    new AbortController().signal,
  );

test.each<[string, Reply, readonly (string | null)[]]>([
  ['all texts', { answer: { 0: 'Eins', 1: 'Zwei' } }, ['Eins', 'Zwei']],
  ['a code block', { content: '```json\n{"0": "Eins", "1": "Zwei"}\n```' }, ['Eins', 'Zwei']],
  ['one text only', { answer: { 1: 'Zwei' } }, [null, 'Zwei']],
  ['more than was sent', { answer: { 0: 'Eins', 1: 'Zwei', 2: 'Drei' } }, ['Eins', 'Zwei']],
  ['what is no text', { answer: { 0: 1, 1: ['Zwei'] } }, [null, null]],
  ['a list', { content: '["Eins", "Zwei"]' }, [null, null]],
  ['half of an object', { content: '{"0": "Eins' }, [null, null]],
  ['talk', { content: 'I would rather not.' }, [null, null]],
  ['nothing', { raw: '{}' }, [null, null]],
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
  ['an error there', { raw: '{}', status: 500 }, 'Error', /answered 500/],
  ['a page', { raw: '<html>' }, 'FetchError', /JSON/],
  ['an answer without an end', 'flood', 'FetchError', /more than \d+ bytes/],
  ['no answer', 'hang', 'FetchError', /in time/],
  ['an answer that takes too long', 'trickle', 'FetchError', /in time/],
  ['a connection that breaks', 'break', 'FetchError', /could not be reached/],
])('%s is an error without the key', async (_what, reply, name, words) => {
  standIn.reply = () => reply;
  const error = await translate().catch((reason: unknown) => reason as Error);
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
