/** Translators as their documentation tells them: what they are asked, what they refuse, and what comes of it. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Translation } from '../../../src/contract/index.ts';
import { openModel, startPlatformJobs } from '../../../src/platform/index.ts';
import { createProviderHttp } from '../../../src/platform/translations/providers/choose-provider.ts';
import { runTranslation } from '../../../src/platform/translations/run-translation.ts';
import { translateBatch } from '../../../src/platform/translations/translate-batch.ts';
import {
  listWantedBatches,
  loadTranslation,
  requestTranslationRun,
} from '../../../src/store/translations.ts';
import { casesAtLength } from '../../support/describe-at-length.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { deepl, libreTranslate, openAi, type StandIn, startTranslator } from './stand-in-translator.ts';

const KEYS = {
  deepl: '279a2e9d-83b3-c416-7e2d-f721593e42a0:fx',
  libretranslate: 'a key & more',
  openai: 'sk-of-nobody',
};

let platform: TestPlatform;
let standIns: Readonly<Record<keyof typeof KEYS, StandIn>>;
/** Of many texts with marks, and of one text. */
let large: string;
let small: string;

const patient = { timeout: PATIENCE_MS, interval: 20 };
const LONG = 'words '.repeat(700).trim();
const paragraphs = Array.from(
  { length: 120 },
  (_, at) => `Paragraph ${at} has *some words*, \`code\` & a < b with [a link](README.md).`,
);

beforeAll(async () => {
  standIns = {
    deepl: await startTranslator(deepl, KEYS.deepl),
    libretranslate: await startTranslator(libreTranslate, KEYS.libretranslate),
    openai: await startTranslator(openAi, KEYS.openai),
  };
  platform = await startPlatform({ withJobs: false });
  Object.assign(platform.deps, {
    translators: {
      deepl: { url: standIns.deepl.url, key: KEYS.deepl },
      libretranslate: { url: standIns.libretranslate.url, key: KEYS.libretranslate },
      maxWords: 100_000,
      requestsPerMinute: 10_000,
    },
    model: openModel(platform.deps.db, {
      url: `${standIns.openai.url}/v1`,
      key: KEYS.openai,
      model: 'm',
      tokensPerDay: 10_000_000,
      timeoutMs: PATIENCE_MS,
    }),
  });
  await startPlatformJobs(platform.deps);
  const { repo, url } = await platform.createRepo('texts');
  await repo.commit({
    'large/README.md': `# Home\n\n${paragraphs.join('\n\n')}\n\n${LONG}\n`,
    'small/README.md': '# One text\n',
  });
  const spaces = ['large', 'small'].map(async (repoProjectDirectory) => {
    const space = await platform.createSpace(repoProjectDirectory);
    await platform.importBranch(space, { url, repoProjectDirectory });
    return space;
  });
  [large, small] = (await Promise.all(spaces)) as [string, string];
});
beforeEach(() => {
  for (const standIn of Object.values(standIns)) {
    Object.assign(standIn, { mostAtOnce: 0, maxSigns: Number.POSITIVE_INFINITY });
    for (const list of [standIn.answered, standIn.arrivals, standIn.faults]) list.length = 0;
  }
});
afterAll(async () => {
  await platform?.deps.model?.close();
  await platform?.close();
  for (const standIn of Object.values(standIns ?? {})) await standIn.close();
});

const base = () => `/orgs/${platform.organizationId}/translations`;
const read = async (id: string): Promise<Translation> =>
  (await platform.api('GET', `${base()}/${id}`)).body as Translation;

async function create(provider: string, space = large): Promise<string> {
  const body = {
    source: { space, language: 'en' },
    language: 'de',
    provider,
    glossary: [{ term: 'Paragraph', translation: 'Absatz' }],
  };
  const answer = await platform.api('POST', base(), { body });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

async function run(id: string): Promise<Translation> {
  const { runs } = (await read(id)).stats;
  expect((await platform.api('POST', `${base()}/${id}/run`)).status).toBe(204);
  return await vi.waitFor(async () => {
    const translation = await read(id);
    expect(translation.stats.runs).toBeGreaterThan(runs);
    return translation;
  }, patient);
}

it.each([
  { provider: 'deepl', requests: 3, body: { source_lang: 'EN', target_lang: 'DE', tag_handling: 'xml' } },
  { provider: 'libretranslate', requests: 5, body: { source: 'en', target: 'de', format: 'html' } },
] as const)('$provider is asked as it is documented, once for each text', async (row) => {
  const { provider, requests, body } = row;
  const standIn = standIns[provider];
  const done = await run(await create(provider));
  expect(done).toMatchObject({ status: 'completed', problems: [] });
  expect(done.stats).toMatchObject({ latestRequests: requests, untranslated: 0 });
  expect(standIn.arrivals).toHaveLength(requests);
  expect(standIn.mostAtOnce).toBeLessThanOrEqual(4);
  expect(standIn.lastBody).toMatchObject(body);
  expect(new Set(standIn.answered).size).toBe(122);
  expect(standIn.answered).toHaveLength(122);
  if (provider === 'deepl') expect(standIn.lastBody['context']).toContain('Paragraph: Absatz');
  const { space = '' } = done.result ?? {};
  const { body: content } = await platform.api('GET', `/spaces/${space}/content`);
  const page = `/spaces/${space}/content/page/${content.pages[0].id}?format=markdown`;
  expect((await platform.api('GET', page)).body.markdown).toContain(
    'PARAGRAPH 7 HAS *SOME WORDS*, `code` & A < B WITH [A LINK](README.md).',
  );
});

it.each(
  casesAtLength(
    'more refusals of providers of translations',
    [
      {
        provider: 'deepl',
        status: 403,
        body: { message: `Key ${KEYS.deepl} is not valid.` },
        says: /answered 403 \(Key … is not valid\): check DEEPL_API_KEY\.$/,
      },
    ] as const,
    [
      {
        provider: 'deepl',
        status: 429,
        headers: { 'retry-after': '7200' },
        says: /answered 429: it requests a pause of 2 hours, so run the translation again after that\.$/,
      },
      {
        provider: 'libretranslate',
        status: 400,
        body: { error: 'de is not supported' },
        says: /answered 400 \(de is not supported\): /,
      },
      {
        provider: 'deepl',
        status: 456,
        body: { message: 'Quota Exceeded' },
        says: /answered 456 \(Quota Exceeded\): its quota is used up, so raise it and run again\.$/,
      },
      {
        provider: 'deepl',
        status: 400,
        body: { message: "Value for 'target_lang' not supported." },
        says: /answered 400 \(Value for 'target_lang' not supported\): .* check .* the language\.$/,
      },
      {
        provider: 'libretranslate',
        status: 403,
        body: { error: `Invalid API key ${KEYS.libretranslate}` },
        says: /answered 403 \(Invalid API key …\): check LIBRETRANSLATE_API_KEY\.$/,
      },
    ] as const,
  ),
)('a $status of $provider ends the run with the reason', async (row) => {
  const standIn = standIns[row.provider];
  standIn.faults.push(row);
  const id = await create(row.provider);
  const failed = await run(id);
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(row.says) });
  expect(failed.result).toBeUndefined();
  // Requests that were under way when the run failed are answered, too; a run that began before would send their texts again.
  await vi.waitFor(async () => {
    const counts = await platform.deps.queue.counts();
    expect(counts.filter(({ waiting, active }) => waiting + active > 0)).toEqual([]);
  }, patient);
  expect((await run(id)).status).toBe('completed');
  expect(standIn.answered).toHaveLength(122);
});

it.each(
  casesAtLength(
    'requests that are too large for LibreTranslate',
    ['deepl'] as const,
    ['libretranslate'] as const,
  ),
)('a request that is too large for %s is sent in parts', async (provider) => {
  const standIn = standIns[provider];
  standIn.maxSigns = 4_000;
  const done = await run(await create(provider));
  expect(done.status).toBe('completed');
  expect(new Set(standIn.answered).size).toBe(standIn.answered.length);
  expect(standIn.answered).toHaveLength(121);
  expect(done.problems).toMatchObject([
    {
      path: 'large/README.md',
      line: 243,
      message: expect.stringContaining('the request is too large for it'),
    },
  ]);
});

it('waits as long as a provider requests', async () => {
  standIns.deepl.faults.push({ status: 429, headers: { 'retry-after': '2' } });
  const done = await run(await create('deepl', small));
  expect(done).toMatchObject({ status: 'completed', stats: { latestRequests: 2, latestWords: 2 } });
  const [first = 0, second = 0] = standIns.deepl.arrivals;
  expect(second - first).toBeGreaterThanOrEqual(2_000);
});

it('sends no more requests in a minute than allowed', async () => {
  const { translators } = platform.deps;
  Object.assign(platform.deps, { translators: { ...translators, requestsPerMinute: 2 } });
  const id = await create('openai');
  expect((await platform.api('POST', `${base()}/${id}/run`)).status).toBe(204);
  const key = `host:${new URL(standIns.openai.url).host}/translations`;
  await vi.waitFor(async () => {
    const group = (await platform.deps.queue.rateLimits()).find((one) => one.key === key);
    const rates = [{ count: 2, ms: 60_000 }];
    expect(group).toMatchObject({ concurrency: 4, rates, running: 0, waiting: 2 });
  }, patient);
  expect(standIns.openai.arrivals).toHaveLength(2);
  expect(await read(id)).toMatchObject({ status: 'running', stats: { latestRequests: 2 } });
  Object.assign(platform.deps, { translators });
});

it.each(casesAtLength('providers of translations that trickle', ['hang'] as const, ['trickle'] as const))(
  'a request to a provider that answers with a %s times out',
  async (fault) => {
    const { deepl: standIn } = standIns;
    const translators = {
      ...platform.deps.translators,
      maxWords: 100_000,
      requestsPerMinute: 10_000,
      timeoutMs: 300,
    };
    // Nothing is enqueued: the jobs are run here, on their last try.
    const queue = { ...platform.deps.queue, enqueue: async () => {} };
    const deps = { ...platform.deps, translators, queue };
    const http = createProviderHttp(translators);
    const patientHttp = createProviderHttp({ ...translators, timeoutMs: PATIENCE_MS });
    const begin = async () => {
      const id = await create('deepl');
      await requestTranslationRun(deps.db, id, { forPerson: true });
      await runTranslation(deps, { translationId: id, http }, { exhausted: false });
      return { id, batches: await listWantedBatches(deps.db, id) };
    };
    const signal = new AbortController().signal;
    const context = { id: '', attempt: 5, lastAttempt: true, exhausted: false, signal };
    const host = new URL(standIn.url).host;
    const ask = (translationId: string, batch = 0, by = http) =>
      translateBatch(
        deps,
        { translationId, run: 1, batch, host, perMinute: 10_000 },
        { ...context, http: by },
      );

    const { id: first } = await begin();
    standIn.faults.push(fault);
    await ask(first);
    expect(await loadTranslation(deps.db, first)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/\/v2\/translate did not answer in time.*Translated texts are stored\.$/),
    });

    // One that answers now and then may go on.
    const { id: second, batches } = await begin();
    expect(batches).toHaveLength(3);
    await ask(second, batches[0], patientHttp);
    standIn.faults.push(fault);
    await ask(second, batches[1]);
    expect(await loadTranslation(deps.db, second)).toMatchObject({ status: 'running', unanswered: 1 });
    await http.close();
    await patientHttp.close();
  },
);

it('stores no key where it could be read', async () => {
  const { pool } = platform.database.store;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toContain('public.translations');
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ text: string | null }>(
        `select string_agg(t::text, ' ') as text from ${name} t`,
      );
      return rows[0]?.text ?? '';
    }),
  );
  expect(platform.log.some((line) => line.includes('Translation run failed'))).toBe(true);
  for (const text of [...texts, ...platform.log])
    for (const key of Object.values(KEYS)) expect(text.includes(key)).toBe(false);
});
