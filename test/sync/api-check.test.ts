/** What a pull request does to the API specifications of its repository is told in a check run of its own. */
import { sql } from 'drizzle-orm';
import type { Nodes } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ApiReport, type CheckedApiReport, isApiReport } from '../../src/content/report/api-report.ts';
import type { GitTreeEntry } from '../../src/git/repository.ts';
import { createHttp } from '../../src/net/http.ts';
import { nameJobs } from '../../src/server/status/name-jobs.ts';
import { loadReport } from '../../src/store/reports.ts';
import { saveConfig, saveRepositories } from '../../src/store/repositories.ts';
import { writeApiSummary } from '../../src/sync/api-check/write-api-summary.ts';
import { apiCheckJob, createScheduler, watchPullRequests } from '../../src/sync/index.ts';
import { openSpecThread } from '../../src/sync/openapi/open-spec-thread.ts';
import { readSpecFiles } from '../../src/sync/openapi/read-spec-files.ts';
import {
  type AppBench,
  type BenchRepository,
  openAppBench,
  waitFor,
  waitInHurry,
} from '../github/app-bench.ts';

import { HOSTILE } from '../github/pull-request/fixture-report.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { apiChange, apiReport, apiSpec } from './fixture-api-report.ts';

const CONFIG = '.github/docloom.yml';
const CHECK = 'Docloom API';
const URL_OF = 'https://docloom.example/reports/abc';

let bench: AppBench;
let http: ReturnType<typeof createHttp>;
/** With one specification of two files. */
let pets: BenchRepository;

beforeAll(async () => {
  bench = await openAppBench(
    async () => ({
      client: { call: neverCalled, paginate: neverCalled } as never,
      organizationId: neverCalled,
      start: async () => {},
    }),
    { pullSeen: ({ store, queue }) => watchPullRequests({ db: store.db, queue }) },
  );
  http = createHttp({ userAgent: 'docloom-test' });
  const { store, queue, client, access, url, log, openCommit, organizationId } = bench;
  const scheduler = createScheduler({
    db: store.db,
    queue,
    client,
    access,
    http,
    now: () => new Date(),
    publicUrl: url,
    log,
    specs: { openCommit, organizationId, secretFor: () => null },
  });
  await scheduler.startJobs();
  pets = await sample('pets');
});

afterAll(async () => {
  await bench?.close();
  await http?.close();
});

/** A pull request needs nothing of the platform. */
function neverCalled(): never {
  throw new Error('Pull requests do not call the platform.');
}

const pet = (type: string) => `Pet:\n  type: object\n  properties:\n    id:\n      type: ${type}\n`;
const api = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      responses:
        '200':
          description: All of them.
          content:
            application/json:
              schema:
                $ref: schemas.yaml#/Pet
`;
const configOf = (entries: readonly Readonly<Record<string, string | undefined>>[]) =>
  `spaces:\n  - directory: docs\nopenapi: ${JSON.stringify(entries)}\n`;
const PETS = {
  'docs/README.md': '# Home\n',
  'api/openapi.yaml': api,
  'api/schemas.yaml': pet('string'),
  [CONFIG]: configOf([{ name: 'pets', file: 'api/openapi.yaml' }]),
};

type Files = Readonly<Record<string, string | null>>;

/** A repository whose configuration is in force, with these files on `main`. */
async function sample(
  name: string,
  files: Readonly<Record<string, string>> = PETS,
): Promise<BenchRepository> {
  const repository = await bench.createRepository(name, { private: false });
  const oid = await repository.local.commit(files);
  await repository.push();
  await bench.forge.waitForIdle();
  const installationId = repository.install({ unheard: true });
  const { id, fullName } = repository;
  await saveRepositories(bench.store.db, [
    { id, fullName, defaultBranch: 'main', installationId, disconnected: null },
  ]);
  await saveConfig(bench.store.db, id, { text: files[CONFIG] ?? null, oid });
  return repository;
}

async function commitOn(repository: BenchRepository, branch: string, files: Files, from?: string) {
  const base = from === undefined ? {} : { from: await repository.local.git(['rev-parse', from]) };
  return await repository.local.commit(files, { branch, ...base });
}

/** Opens a pull request with these changes. Answers its head. */
async function propose(repository: BenchRepository, branch: string, files: Files): Promise<string> {
  const head = await commitOn(repository, branch, files, 'main');
  await repository.push(branch);
  await repository.api('POST', '/pulls', { title: branch, head: branch, base: 'main' });
  return head;
}

async function amend(repository: BenchRepository, branch: string, files: Files): Promise<string> {
  const head = await commitOn(repository, branch, files);
  await repository.push(branch);
  return head;
}

function runsOf(repository: BenchRepository, sha: string) {
  return bench.forge.checkRuns(repository.fullName, sha).filter(({ name }) => name === CHECK);
}

async function idle(): Promise<void> {
  await bench.forge.waitForIdle();
  await waitFor(async () =>
    (await bench.queue.counts()).every(
      ({ name, waiting, active }) =>
        !['github.delivery', 'sync.api-check'].includes(name) || waiting + active === 0,
    ),
  );
}

async function completed(repository: BenchRepository, sha: string) {
  const run = await waitFor(() => runsOf(repository, sha).find(({ status }) => status === 'completed'));
  await idle();
  expect(runsOf(repository, sha)).toHaveLength(1);
  return run;
}

async function reportOf(run: { readonly detailsUrl: string | null }): Promise<ApiReport> {
  const stored = await loadReport(bench.store.db, run.detailsUrl?.split('/').at(-1) ?? '');
  if (!isApiReport(stored?.report)) throw new Error('There is no report of the API.');
  return stored.report;
}

const places = (run: {
  annotations: readonly { path: string; start_line: number; title: string | null }[];
}) => run.annotations.map(({ path, start_line, title }) => `${path}:${start_line} ${title}`);

test('a breaking change in a file that the specification refers to fails, until it is reverted', async () => {
  const repository = pets;
  const head = await propose(repository, 'break', { 'api/schemas.yaml': pet('integer') });
  const run = await completed(repository, head);
  expect(run).toMatchObject({ conclusion: 'failure', title: '1 breaking change in pets' });
  expect(places(run)).toEqual(['api/schemas.yaml:4 Breaking change of pets']);
  expect(run.summary).toContain('| `string` → `integer` |');
  expect(run.summary).toContain(`/blob/${head}/api/schemas.yaml?plain=1#L4`);
  const report = (await reportOf(run)) as CheckedApiReport;
  expect(report.specs).toMatchObject([
    { name: 'pets', outcome: 'compared', counts: { problems: 0, changes: 1, breaking: 1 } },
  ]);

  // A break that is meant is allowed on the default branch.
  const allowed = { name: 'pets', file: 'api/openapi.yaml', 'breaking-changes': 'warn' };
  await saveConfig(bench.store.db, repository.id, { text: configOf([allowed]), oid: head });
  bench.forge.rerequestCheckRun({ checkRunId: run.id, login: 'acme' });
  const again = await waitFor(() =>
    runsOf(repository, head).find(({ conclusion }) => conclusion === 'neutral'),
  );
  expect(again.annotations.map(({ annotation_level }) => annotation_level)).toEqual(['warning']);
  await saveConfig(bench.store.db, repository.id, { text: PETS[CONFIG], oid: head });

  const more = pet('string').concat('    name:\n      type: string\n');
  const second = await completed(repository, await amend(repository, 'break', { 'api/schemas.yaml': more }));
  expect(second).toMatchObject({
    conclusion: 'success',
    title: 'No breaking change in pets',
    annotations: [],
  });
  expect(second.summary).toContain('0 breaking changes, 1 other change');

  const last = await amend(repository, 'break', { 'api/schemas.yaml': pet('string'), 'docs/a.md': '# A\n' });
  expect(await completed(repository, last)).toMatchObject({
    conclusion: 'success',
    title: 'No API specification is changed any more',
  });
});

testAtLength(
  'a mistake is reported on its line, in a fork, too, on every request, and without a second run',
  async () => {
    const repository = pets;
    const { token } = bench.forge.createUser('visitor');
    const fork = await bench.forge.fork({ source: repository.fullName, owner: 'visitor' });
    const wrong = 'Pet:\n  type: object\n  properties: [\n';
    const head = await commitOn(repository, 'wrong', { 'api/schemas.yaml': wrong }, 'main');
    await repository.push('wrong', { to: fork.cloneUrl, token });
    const { number } = await repository.api<{ number: number }>('POST', '/pulls', {
      title: 'From a fork',
      head: 'visitor:wrong',
      base: 'main',
      draft: true,
    });
    const run = await completed(repository, head);
    expect(run).toMatchObject({ conclusion: 'failure', title: '1 mistake in pets' });
    expect(places(run)).toEqual(['api/schemas.yaml:3 Mistake in pets']);

    const writes = bench.forge.apiLog.length;
    await repository.api('PATCH', `/pulls/${number}`, { state: 'closed' });
    await repository.api('PATCH', `/pulls/${number}`, { state: 'open' });
    await idle();
    const changed = bench.forge.apiLog
      .slice(writes)
      .filter(({ method, path }) => method !== 'GET' && /check-runs/.test(path));
    expect(changed).toEqual([]);

    bench.forge.rerequestCheckRun({ checkRunId: run.id, login: 'acme' });
    const runs = await waitFor(() => {
      const all = runsOf(repository, head);
      return all.length === 2 && all.every(({ status }) => status === 'completed') && all;
    });
    await idle();
    expect(runs.map(places)).toEqual([places(run), places(run)]);
    // The check of links has its own button.
    const links = bench.forge.checkRuns(repository.fullName, head).filter(({ name }) => name !== CHECK);
    expect(links).toHaveLength(1);
  },
);

test('a pull request that touches no specification gets no such run', async () => {
  const repository = pets;
  const head = await propose(repository, 'words', {
    'docs/README.md': '# Words\n',
    'api/other.yaml': 'a: 1\n',
  });
  await waitFor(() =>
    bench.forge.checkRuns(repository.fullName, head).find(({ status }) => status === 'completed'),
  );
  await idle();
  expect(runsOf(repository, head)).toEqual([]);
});

testAtLength(
  'what a pull request changes in the configuration counts, but for what a breaking change means',
  async () => {
    const names = { old: 'old.yaml', moved: 'moved.yaml', gone: 'gone.yaml' };
    const plain = api.replace('schemas.yaml#/Pet', '"#/components/schemas/Pet"');
    const spec = (type: string) =>
      `${plain}components:\n  schemas:\n    Pet: { type: object, properties: { id: { type: ${type} } } }\n`;
    const repository = await sample('configured', {
      'docs/README.md': '# Home\n',
      'old.yaml': spec('string'),
      'moved.yaml': spec('string'),
      'gone.yaml': spec('string'),
      [CONFIG]: configOf(Object.entries(names).map(([name, file]) => ({ name, file }))),
    });
    const head = await propose(repository, 'config', {
      'old.yaml': spec('integer'),
      'moved.yaml': null,
      'v2/moved.yaml': spec('string'),
      'new.yaml': spec('boolean'),
      [CONFIG]: configOf([
        { name: 'old', file: 'old.yaml', 'breaking-changes': 'off' },
        { name: 'moved', file: 'v2/moved.yaml' },
        { name: 'new', file: 'new.yaml' },
        { name: 'lost', file: 'lost.yaml' },
      ]),
    });
    const run = await completed(repository, head);
    expect(run).toMatchObject({
      conclusion: 'failure',
      title: '1 mistake and 1 breaking change in 2 specifications',
    });
    expect(places(run)).toEqual([`${CONFIG}:3 Mistake in lost`, 'old.yaml:15 Breaking change of old']);
    const { specs } = (await reportOf(run)) as CheckedApiReport;
    expect(specs.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'old compared',
      'moved compared',
      'gone removed',
      'new new',
      'lost refused',
    ]);
  },
);

test('a specification that is removed from the configuration is not a silent success', async () => {
  const head = await propose(pets, 'out', { [CONFIG]: configOf([]), 'api/schemas.yaml': pet('integer') });
  expect(await completed(pets, head)).toMatchObject({
    conclusion: 'neutral',
    title: 'pets would not be read from a file any more',
    annotations: [],
  });
});

testAtLength(
  'the first specification of a repository is read by the configuration that names it',
  async () => {
    const { [CONFIG]: config, ...files } = PETS;
    const repository = await sample('first-spec', files);
    const head = await propose(repository, 'first', { [CONFIG]: config, 'api/schemas.yaml': 'Pet: 1\n' });
    expect(await completed(repository, head)).toMatchObject({
      conclusion: 'failure',
      title: '1 mistake in pets',
    });
  },
);

testAtLength(
  'existing mistakes, allowed breaking changes and hostile files do not fail what they should not',
  async () => {
    const bomb = `a: &a [${'x, '.repeat(20)}x]\n${Array.from({ length: 9 }, (_, at) => {
      const [name, from] = [String.fromCharCode(98 + at), String.fromCharCode(97 + at)];
      return `${name}: &${name} [${`*${from}, `.repeat(20)}*${from}]\n`;
    }).join('')}`;
    const entries = [
      { name: 'warned', file: 'api/openapi.yaml', 'breaking-changes': 'warn' },
      { name: 'damaged', file: 'damaged.yaml' },
    ];
    const repository = await sample('odd', {
      ...PETS,
      'damaged.yaml': 'openapi: 3.1.0\npaths: []\n',
      'inner.yaml': 'openapi: 3.1.0\npaths: {}\n',
      [CONFIG]: configOf(entries),
    });
    const head = await propose(repository, 'odd', {
      'api/schemas.yaml': pet('integer'),
      'damaged.yaml': '# Still so.\nopenapi: 3.1.0\npaths: []\n',
    });
    const run = await completed(repository, head);
    expect(run).toMatchObject({ conclusion: 'neutral', title: '1 breaking change in warned' });
    expect(run.annotations.map(({ annotation_level }) => annotation_level)).toEqual(['warning']);
    expect(run.summary).toContain('could not be before this pull request');

    const hostile = {
      bomb,
      deep: `openapi: 3.1.0\npaths: ${'{a: '.repeat(2_000)}${'}'.repeat(2_000)}\n`,
      'out-of-it': 'openapi: 3.1.0\npaths: { $ref: ../../../etc/passwd }\n',
      'an-address': 'openapi: 3.1.0\npaths: { $ref: "http://127.0.0.1:9/x.yaml" }\n',
      markup: 'openapi: 3.1.0\npaths: { "/<img src=x>|`a`": { $ref: "#/**@acme**" } }\n',
      circle: 'openapi: 3.1.0\npaths: { $ref: "#/paths" }\n',
    };
    const second = await amend(repository, 'odd', {
      ...Object.fromEntries(Object.entries(hostile).map(([name, text]) => [`hostile/${name}.yaml`, text])),
      'api/schemas.yaml': pet('string'),
      'damaged.yaml': 'openapi: 3.1.0\npaths: {}\n',
      [CONFIG]: configOf([
        ...entries,
        ...Object.keys(hostile).map((name) => ({ name, file: `hostile/${name}.yaml` })),
      ]),
    });
    const worse = await completed(repository, second);
    expect(worse).toMatchObject({ conclusion: 'failure' });
    const { specs } = (await reportOf(worse)) as CheckedApiReport;
    expect(specs.map(({ name, outcome, problems }) => `${name} ${outcome} ${problems.length > 0}`)).toEqual([
      'damaged new false',
      ...Object.keys(hostile).map((name) => `${name} refused true`),
    ]);
    expect(worse.summary).not.toMatch(/<img|\*\*@acme/);
  },
);

testAtLength('sixty specifications are one run, with the first 500 annotations in batches', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`api/${at}.yaml`, 'openapi: 3.1.0\npaths: {}\n']),
  );
  const config = configOf(
    Object.keys(files).map((file, at) => ({ name: `api-${at}`, file, 'breaking-changes': 'warn' })),
  );
  const repository = await sample('many', { 'docs/README.md': '# Home\n', ...files, [CONFIG]: config });
  const wrong = `openapi: 3.1.0\npaths:\n${Array.from({ length: 10 }, (_, at) => `  /a${at}: 1\n`).join('')}`;
  const writes = bench.forge.apiLog.length;
  const head = await propose(
    repository,
    'many',
    Object.fromEntries(Object.keys(files).map((file) => [file, wrong])),
  );
  const run = await completed(repository, head);
  expect(run).toMatchObject({ conclusion: 'failure', title: '600 mistakes in 60 specifications' });
  expect(run.annotations).toHaveLength(500);
  const calls = bench.forge.apiLog
    .slice(writes)
    .filter(({ method, path }) => method !== 'GET' && path.includes(`check-runs/${run.id}`));
  expect(calls).toHaveLength(10);
  const { specs } = (await reportOf(run)) as CheckedApiReport;
  expect(specs.flatMap(({ problems }) => problems)).toHaveLength(600);
});

testAtLength('a check that cannot run reports why, and runs once it can', async () => {
  const repository = pets;
  const first = await propose(repository, 'trouble', { 'api/schemas.yaml': pet('integer') });
  await completed(repository, first);
  const fault = bench.forge.faults.set({ on: 'git', path: /git-upload-pack$/, kind: 'status', status: 503 });
  onTestFinished(() => fault.clear());
  const head = await amend(repository, 'trouble', { 'api/schemas.yaml': pet('number') });
  // Both at once: the next try, which is hurried too, is at work again.
  const [run, told] = await waitInHurry(bench, async () => {
    const run = runsOf(repository, head).find(({ conclusion }) => conclusion === 'neutral');
    const report = run === undefined ? undefined : await reportOf(run);
    return (
      run !== undefined && report !== undefined && report.state !== 'checking' && ([run, report] as const)
    );
  });
  expect(run.summary).toContain('It is retried automatically.');
  expect(told).toMatchObject({ state: 'unchecked', reason: expect.any(String) });

  // Once the attempts are used up the failed job says the same, and can be retried. A second event of the push may have
  // enqueued another job, which fails after it.
  const [ended, job] = await waitInHurry(bench, async () => {
    await bench.store.db.execute(
      sql`update jobs set attempt_limit = attempt + 1 where state = 'waiting' and attempt > 0 and name = ${apiCheckJob.name}`,
    );
    const counts = await bench.queue.counts();
    const isDone = counts.every(
      ({ name, waiting, active }) => name !== apiCheckJob.name || waiting + active === 0,
    );
    const run = runsOf(repository, head).find(({ summary }) =>
      summary?.includes('Push again to have them checked.'),
    );
    const [failed] = await bench.queue.failed({ name: apiCheckJob.name });
    return isDone && run !== undefined && failed !== undefined && ([run, failed] as const);
  });
  expect(job.error).toMatch(/\.$/);
  expect(await reportOf(ended)).toMatchObject({ state: 'unchecked', reason: job.error });
  expect(await nameJobs(bench.store.db, [job.payload])).toEqual([
    expect.stringMatching(new RegExp(`^${repository.fullName} pull/\\d+$`)),
  ]);
  fault.clear();
  expect(await bench.queue.retry(job.id)).toBe(true);
  await waitFor(() => runsOf(repository, head).find(({ conclusion }) => conclusion === 'failure'));
  expect(await completed(repository, head)).toMatchObject({ id: run.id, conclusion: 'failure' });
});

testAtLength('the run of a head that was overtaken before its completion is completed', async () => {
  const fault = bench.forge.faults.set({
    on: 'api',
    method: 'PATCH',
    path: /check-runs/,
    kind: 'status',
    status: 502,
  });
  onTestFinished(() => fault.clear());
  const first = await propose(pets, 'overtaken', { 'api/schemas.yaml': pet('integer') });
  await waitFor(() =>
    runsOf(pets, first).some(({ id }) =>
      bench.forge.apiLog.some(({ path, status }) => status === 502 && path.endsWith(`/check-runs/${id}`)),
    ),
  );
  const second = await amend(pets, 'overtaken', { 'api/schemas.yaml': pet('number') });
  fault.clear();
  expect(await completed(pets, second)).toMatchObject({ conclusion: 'failure' });
  const run = await completed(pets, first);
  expect(run).toMatchObject({ conclusion: 'neutral', title: 'The API specifications were not checked' });
  expect(run.summary).toContain(`Commit ${second.slice(0, 7)} replaced this one`);
  expect(await reportOf(run)).toMatchObject({ state: 'unchecked', reason: expect.any(String) });
});

testAtLength('hostile names stay text in the summary, and a huge report stays within GitHub’s limit', () => {
  for (const name of HOSTILE) {
    const seen: string[] = [];
    const urls: string[] = [];
    const walk = (node: Nodes): void => {
      if (node.type === 'link') urls.push(node.url);
      else seen.push(node.type);
      if ('children' in node) for (const child of node.children) walk(child);
    };
    walk(
      remark()
        .use(remarkGfm)
        .parse(writeApiSummary(apiReport([apiSpec(name, [apiChange()])]), URL_OF)),
    );
    expect([name, seen.filter((type) => ['html', 'image', 'delete', 'emphasis'].includes(type))]).toEqual([
      name,
      [],
    ]);
    expect([name, seen.filter((type) => ['heading', 'table', 'tableRow'].includes(type)).length]).toEqual([
      name,
      7,
    ]);
    const strange = urls.filter(
      (url) => !/^https:\/\/(github\.com\/acme\/docs\/blob\/|docloom\.example\/)/.test(url),
    );
    expect(strange.filter((url) => !name.includes(url))).toEqual([]);
  }
  const changes = Array.from({ length: 30 }, () => apiChange());
  const many = Array.from({ length: 60 }, (_, at) => apiSpec(`${'long/'.repeat(60)}${at}`, changes));
  const summary = writeApiSummary(apiReport(many), URL_OF);
  expect(summary.length).toBeLessThanOrEqual(65_535);
  expect(summary).toContain(URL_OF);
});

testAtLength(
  'a specification that takes too much time or memory is refused, and the next is read',
  async () => {
    const signal = AbortSignal.timeout(60_000);
    const task = { old: null, next: 'api.yaml' };
    // Of processor time, or six times as much by the clock.
    const slow = openSpecThread({ timeoutMs: 50, memoryMb: 64 });
    await expect(slow.check(task, () => new Promise(() => {}), signal)).rejects.toThrow(
      /^api\.yaml: it takes more than 0\.(05|3) s to read; make it smaller\.$/,
    );
    const small = openSpecThread({ timeoutMs: 60_000, memoryMb: 32 });
    const huge = `openapi: 3.1.0\npaths:\n${'  /a: { get: { responses: {} } }\n'.repeat(20_000)}`;
    await expect(small.check(task, async () => ({ text: huge }), signal)).rejects.toThrow(
      /^api\.yaml: it takes more than 32 MiB of memory to read; make it smaller\.$/,
    );
    const next = await small.check(task, async () => ({ text: 'openapi: 3.1.0\npaths: 1\n' }), signal);
    expect(next.problems).toMatchObject([{ line: 2 }]);
    await small.close();
  },
);

test('of a commit only plain files are read, and no more of them than the limit', async () => {
  const entry = (path: string, mode: GitTreeEntry['mode'], size: number) =>
    [path, { path, mode, oid: path, size }] as const;
  const { read, oids, excess } = readSpecFiles({
    entries: new Map([
      entry('a.yaml', 'file', 4),
      entry('link', 'symlink', 4),
      entry('huge', 'file', 31 * 1024 * 1024),
    ]),
    read: async ({ oid }) => new TextEncoder().encode(oid),
  });
  expect(excess).toBeNull();
  const asked = ['a.yaml', 'link', 'huge', 'gone', 'https://example.com/a.yaml'];
  const answers: string[] = [];
  for (const file of asked) {
    const one = await read(file);
    answers.push('text' in one ? one.text : one.problem);
  }
  expect(answers).toEqual([
    'a.yaml',
    'it is not a regular file.',
    'the files of a specification may have 30 MiB together.',
    'there is no such file.',
    'an address is outside the repository.',
  ]);
  expect(Object.fromEntries(oids)).toEqual({ 'a.yaml': 'a.yaml', link: 'link', huge: 'huge', gone: null });
});
