/** Translations that a repository names are made, follow their space, and say why where they do not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations, type Translation } from '../../src/client/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp } from '../../src/net/http.ts';
import { createStatusPages } from '../../src/server/status/status-pages.ts';
import { listBindings } from '../../src/store/bindings.ts';
import { listRepositoryTranslations } from '../../src/store/repository-translations.ts';
import { createScheduler } from '../../src/sync/index.ts';
import { writeScheduleKey } from '../../src/sync/schedule-keys.ts';
import { translateJob } from '../../src/sync/translations/translate-job.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle } from '../github/app-bench.ts';
import { openBenchPlatform } from '../github/bench-platform.ts';
import { testAtLength } from '../support/describe-at-length.ts';

let bench: AppBench;
/** The clock of the scheduler. */
let time = new Date();

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform);
  await createScheduler(deps()).startJobs();
});

function deps() {
  const { store, queue, client, access, url, log } = bench;
  return {
    db: store.db,
    queue,
    client,
    access,
    http: createHttp({ userAgent: 'docloom-test', guard: createAddressGuard() }),
    now: () => time,
    publicUrl: url,
    log,
  };
}

afterAll(() => bench?.close());

const idle = () => untilIdle(bench);

/** What happens within a minute. */
async function look(): Promise<void> {
  await createScheduler(deps()).poll(AbortSignal.timeout(60_000));
  await idle();
}

const config = (translations: string) => ({
  '.github/docloom.yml': `spaces:\n  - directory: docs\ntranslations:\n${translations}`,
});

async function commit(repository: BenchRepository, files: Readonly<Record<string, string | null>>) {
  await repository.local.commit(files);
  await repository.push();
  await idle();
  await look();
}

async function sample(name: string, files: Readonly<Record<string, string>>) {
  const repository = await bench.createRepository(name);
  await repository.local.commit({
    'docs/README.md': '# Home\n\nRead [the guide](guide.md).\n',
    'docs/guide.md': '# Guide\n',
    ...files,
  });
  repository.install({ unheard: true });
  await repository.push();
  await idle();
  await look();
  return repository;
}

const rowsOf = ({ id }: BenchRepository) => listRepositoryTranslations(bench.store.db, [id]);

/** The translations of a repository's space on the platform, by language. */
async function translationsOf({ id }: BenchRepository): Promise<Readonly<Record<string, Translation>>> {
  const [binding] = await listBindings(bench.store.db, id);
  const params = { organizationId: await bench.organizationId() };
  const { items } = await bench.client.call(operations.listTranslations, { params, query: { limit: 1000 } });
  const ours = items.filter(({ source }) => source.space === binding?.spaceId);
  return Object.fromEntries(ours.map((one) => [one.language, one]));
}

async function pageOf({ result }: Translation, pagePath: string): Promise<string> {
  const page = await bench.client.call(operations.getPageByPath, {
    params: { spaceId: result?.space ?? '', pagePath },
    query: { format: 'markdown' },
  });
  return (page as { readonly markdown?: string }).markdown ?? '';
}

/** The check runs of the tip whose name begins so, each with its annotations. */
async function checksOf(repository: BenchRepository, begin: string) {
  const tip = (await repository.local.git(['rev-parse', 'main'])).trim();
  const { check_runs: runs } = await repository.api<{
    readonly check_runs: readonly { id: number; name: string; conclusion: string }[];
  }>('GET', `/commits/${tip}/check-runs?per_page=100`);
  const told = [];
  for (const { id, name, conclusion } of runs.filter((one) => one.name.startsWith(begin))) {
    const annotations = await repository.api<
      readonly { path: string; start_line: number; message: string }[]
    >('GET', `/check-runs/${id}/annotations`);
    const lines = annotations.map(({ path, start_line, message }) => `${path}:${start_line}: ${message}`);
    told.push({ name, conclusion, lines });
  }
  return told;
}

test('a space is translated into each language, and again when it or the configuration changed', async () => {
  const entry = (more = '') => `  - space: docs\n    languages: [de, pt-BR]\n${more}`;
  const repository = await sample('kept', config(entry()));
  const made = await translationsOf(repository);
  expect(Object.keys(made).sort()).toEqual(['de', 'pt-br']);
  for (const one of Object.values(made))
    expect(one).toMatchObject({ status: 'completed', provider: 'pseudo', problems: [], stats: { runs: 1 } });
  expect(await pageOf(made['de'] as Translation, 'guide')).toContain('⟦Ĝúíđé⟧');
  const runs = async () => Object.values(await translationsOf(repository)).map(({ stats }) => stats.runs);

  await look();
  expect(await runs()).toEqual([1, 1]);

  await commit(repository, { 'docs/guide.md': '# Guide\n\nNew words.\n' });
  expect(await runs()).toEqual([2, 2]);
  expect(await pageOf((await translationsOf(repository))['de'] as Translation, 'guide')).toContain('⟦Ñéŵ');

  await commit(repository, config(entry('    instructions: Be brief.\n')));
  const told = await translationsOf(repository);
  expect(JSON.stringify(told['de']?.instructions)).toContain('Be brief.');
  expect(told['de']?.id).toBe(made['de']?.id);
  expect(await runs()).toEqual([3, 3]);
  // What the configuration says no longer is taken back.
  await commit(repository, config(entry()));
  expect((await translationsOf(repository))['de']?.instructions?.nodes).toEqual([]);

  // Deleted on the platform, it is made anew; named no longer, it stays.
  const { id: translationId = '' } = made['de'] ?? {};
  const params = { organizationId: await bench.organizationId(), translationId };
  await bench.client.call(operations.deleteTranslation, { params });
  await look();
  const anew = await translationsOf(repository);
  expect(anew['de']).toMatchObject({ status: 'completed', stats: { runs: 1 } });
  expect(anew['de']?.id).not.toBe(translationId);
  await commit(repository, config('  - space: docs\n    languages: [pt-BR]\n'));
  expect((await rowsOf(repository)).map(({ language, isNamed }) => [language, isNamed])).toEqual([
    ['de', false],
    ['pt-br', true],
  ]);
  expect((await translationsOf(repository))['de']?.id).toBe(anew['de']?.id);
  await commit(repository, { 'docs/guide.md': '# Guide\n\nOther words.\n' });
  const last = await translationsOf(repository);
  expect([last['de']?.stats.runs, last['pt-br']?.stats.runs]).toEqual([1, 5]);
});

test('a failed run is repeated after an hour, or when the space changes', async () => {
  const repository = await sample(
    'failing',
    config('  - { space: docs, languages: [de], provider: deepl }\n'),
  );
  const seen = async () => {
    const { status, error, stats } = (await translationsOf(repository))['de'] as Translation;
    return { status, error, runs: stats.runs };
  };
  const failed = (runs: number) => ({
    status: 'failed',
    runs,
    error: expect.stringContaining('set DEEPL_API_KEY'),
  });
  expect(await seen()).toEqual(failed(1));
  await look();
  expect(await seen()).toEqual(failed(1));
  time = new Date(Date.now() + 61 * 60_000);
  await look();
  expect(await seen()).toEqual(failed(2));
  time = new Date();
  await commit(repository, { 'docs/guide.md': '# Other guide\n' });
  expect(await seen()).toEqual(failed(3));
});

testAtLength(
  'a glossary is read from the live commit, and its mistakes are reported on their lines',
  async () => {
    const repository = await sample('glossary', {
      ...config('  - { space: docs, languages: [de, fr], glossary: words/terms.yml }\n'),
      'words/terms.yml': 'guide: {de: Anleitung}\nDocloom: Docloom\n',
    });
    const glossary = async () => {
      const { de, fr } = await translationsOf(repository);
      return [de, fr].map((one) => one?.glossary.map(({ term, translation }) => `${term} → ${translation}`));
    };
    expect(await glossary()).toEqual([['guide → Anleitung', 'Docloom → Docloom'], ['Docloom → Docloom']]);
    expect(await checksOf(repository, 'Docloom glossary')).toEqual([]);

    await commit(repository, {
      'words/terms.yml': 'guide: {de: Führer, xx: y}\nGuide: a\n',
      'docs/guide.md': '# Late\n',
    });
    const wrong = 'words/terms.yml:1:21: There is no language `xx` to translate from or into.';
    expect(await checksOf(repository, 'Docloom glossary')).toEqual([
      {
        name: 'Docloom glossary: words/terms.yml',
        conclusion: 'failure',
        lines: [
          expect.stringMatching(/^words\/terms\.yml:1: There is no language “xx”/),
          'words/terms.yml:2: “Guide” is already in line 1. Remove one of them.',
        ],
      },
    ]);
    for (const row of await rowsOf(repository)) {
      expect(row.error?.startsWith(wrong)).toBe(true);
      expect(row.error).toContain('(and 1 more)');
    }
    expect((await translationsOf(repository))['de']?.stats.runs).toBe(1);
    await look();
    expect(await glossary()).toEqual([['guide → Anleitung', 'Docloom → Docloom'], ['Docloom → Docloom']]);

    await commit(repository, { 'words/terms.yml': 'guide: {de: Leitfaden}\n' });
    expect(await glossary()).toEqual([['guide → Leitfaden'], []]);
    expect(await checksOf(repository, 'Docloom glossary')).toMatchObject([{ conclusion: 'success' }]);
    expect((await rowsOf(repository)).map(({ error }) => error)).toEqual([null, null]);
    expect((await translationsOf(repository))['de']?.stats.runs).toBe(2);

    await commit(repository, { 'words/terms.yml': null });
    expect(await checksOf(repository, 'Docloom glossary')).toMatchObject([
      {
        lines: ['.github/docloom.yml:4: There is no file “words/terms.yml”. Name an existing file.'],
      },
    ]);
    // Taken out of the configuration, its terms go too.
    await commit(repository, config('  - { space: docs, languages: [de, fr] }\n'));
    expect(await glossary()).toEqual([[], []]);
  },
);

const status = () =>
  createStatusPages({
    db: bench.store.db,
    pool: bench.store.pool,
    queue: bench.queue,
    organizationId: bench.organizationId,
    maxWords: 500_000,
    retainDisconnectedDays: null,
    app: () => null,
  });

testAtLength('a schedule decides when a translation is repeated, not when it is run first', async () => {
  const entry = '  - { space: docs, languages: [de], schedule: weekly }\n';
  const repository = await sample('scheduled', config(entry));
  const runs = async () => (await translationsOf(repository))['de']?.stats.runs;
  expect(await runs()).toBe(1);
  await commit(repository, { 'docs/guide.md': '# Changed\n' });
  expect(await runs()).toBe(1);
  const key = writeScheduleKey({
    kind: 'translation',
    repositoryId: repository.id,
    directory: 'docs',
    language: 'de',
  });
  const [schedule] = await bench.queue.schedules(translateJob, key);
  expect(schedule?.cron).toBe('0 3 * * 1');
  const payload = { repositoryId: repository.id, space: 'docs', scheduled: 'de' };
  await bench.queue.enqueue(bench.store.db, translateJob, payload);
  await idle();
  expect(await runs()).toBe(2);

  const seen = await status().find(repository.id);
  const { id: translationId } = (await translationsOf(repository))['de'] as Translation;
  expect(seen?.translations).toMatchObject([
    { directory: 'docs', language: 'de', translationId, isNamed: true, error: null, maxWords: 500_000 },
  ]);
  expect(seen?.translations[0]?.next).toBe(schedule?.next.toISOString());
  expect((await status().work()).schedules).toContainEqual(
    expect.objectContaining({
      name: 'sync.translate',
      about: 'acme/scheduled docs/ in de',
      cron: '0 3 * * 1',
    }),
  );
});

testAtLength(
  'a language that the platform does not know is a mistake of the configuration, reported on its line',
  async () => {
    const repository = await sample('unknown', config('  - { space: docs, languages: [de] }\n'));
    await commit(repository, config('  - space: docs\n    languages: [de, zh-TW, xx]\n'));
    const [check] = await checksOf(repository, 'Docloom configuration');
    expect(check).toMatchObject({
      conclusion: 'failure',
      lines: [
        expect.stringMatching(/^\.github\/docloom\.yml:5: “zh-TW” is Chinese in traditional characters/),
        expect.stringMatching(/^\.github\/docloom\.yml:5: There is no language “xx”/),
      ],
    });
    expect(Object.keys(await translationsOf(repository))).toEqual(['de']);
  },
);
