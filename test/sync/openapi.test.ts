/** Specifications that a repository names follow its default branch, and each commit is told how that ended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp } from '../../src/net/http.ts';
import { readOpenApiSecrets } from '../../src/server/config/openapi-secrets.ts';
import { createStatusPages } from '../../src/server/status/status-pages.ts';
import { createScheduler, type Scheduler, specJob, watchBranches } from '../../src/sync/index.ts';
import { scheduleSpecs } from '../../src/sync/openapi/schedule-specs.ts';
import { readPlans } from '../../src/sync/sync-schedules.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle } from '../github/app-bench.ts';
import { openBenchPlatform } from '../github/bench-platform.ts';
import { testAtLength } from '../support/describe-at-length.ts';

let bench: AppBench;
let scheduler: Scheduler;

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform, {
    branchMoved: ({ store, queue }) => watchBranches({ db: store.db, queue }),
  });
  scheduler = createScheduler(deps());
  await scheduler.startJobs();
});

function deps() {
  const { store, queue, client, access, url, log, openCommit, organizationId } = bench;
  return {
    db: store.db,
    queue,
    client,
    access,
    http: createHttp({ userAgent: 'docloom-test', guard: createAddressGuard() }),
    now: () => new Date(),
    publicUrl: url,
    log,
    specs: { openCommit, organizationId, secretFor: () => null },
  };
}

afterAll(() => bench?.close());

const idle = () => untilIdle(bench);

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

async function sample(name: string, openapi: string, files: Readonly<Record<string, string>> = {}) {
  const repository = await bench.createRepository(name);
  await repository.local.commit({
    'docs/README.md': '# Home\n',
    '.github/docloom.yml': `spaces:\n  - directory: docs\nopenapi:\n${openapi}`,
    ...files,
  });
  repository.install({ unheard: true });
  await repository.push();
  await idle();
  return repository;
}

async function commit(repository: BenchRepository, files: Readonly<Record<string, string>>) {
  await repository.local.commit(files);
  await repository.push();
  await idle();
}

/** All statuses of the tip with a name, the oldest first. */
async function told(repository: BenchRepository, name: string): Promise<readonly string[]> {
  const tip = (await repository.local.git(['rev-parse', 'main'])).trim();
  const statuses = await repository.api<readonly { context: string; state: string; description: string }[]>(
    'GET',
    `/commits/${tip}/statuses`,
  );
  return statuses
    .filter(({ context }) => context === `docloom/openapi: ${name}`)
    .map(({ state, description }) => `${state}: ${description}`)
    .reverse();
}

const versions = async (specSlug: string) => {
  const params = { organizationId: await bench.organizationId(), specSlug };
  return (await bench.client.call(operations.listOpenAPISpecVersions, { params })).items.length;
};

test('a file and those that it refers to are uploaded again when one of them changes, and only then', async () => {
  const repository = await sample('pets', '  - name: pets\n    file: api/openapi.yaml\n', {
    'api/openapi.yaml': api,
    'api/schemas.yaml': pet('string'),
  });
  const begun = 'pending: Reading the specification.';
  expect(await told(repository, 'pets')).toEqual([begun, 'success: Live: its first version.']);

  await commit(repository, { 'api/schemas.yaml': pet('integer') });
  expect(await told(repository, 'pets')).toEqual([
    begun,
    'success: Live: 1 change for clients, 1 breaks them.',
  ]);
  expect(await versions('pets')).toBe(2);

  await commit(repository, { 'api/openapi.yaml': `# Words for people.\n${api}` });
  expect(await told(repository, 'pets')).toEqual([begun, 'success: Live, and unchanged in meaning.']);

  await commit(repository, { 'docs/README.md': '# Other words\n' });
  expect(await told(repository, 'pets')).toEqual([]);

  await commit(repository, { 'api/schemas.yaml': 'Pet:\n  type: [\n' });
  const [, broken] = await told(repository, 'pets');
  expect(broken).toMatch(/^failure: api\/schemas\.yaml:\d+:\d+: The file is not valid YAML: /);
  expect(await versions('pets')).toBe(2);

  await commit(repository, { 'api/schemas.yaml': pet('integer') });
  expect((await told(repository, 'pets')).at(-1)).toBe('success: Live, and unchanged in meaning.');
});

testAtLength(
  'a specification that was deleted on the platform comes back within a day, without a push',
  async () => {
    const entry = '  - name: birds\n    file: openapi.yaml\n';
    const repository = await sample('birds', entry, {
      'openapi.yaml': api.replace('schemas.yaml#/Pet', 'pet.yaml'),
      'pet.yaml': 'type: object\n',
    });
    expect(await versions('birds')).toBe(1);
    const params = { organizationId: await bench.organizationId(), specSlug: 'birds' };
    await bench.client.call(operations.deleteOpenAPISpec, { params });
    const look = async (hours: number) => {
      const now = () => new Date(Date.now() + hours * 60 * 60 * 1000);
      await scheduleSpecs({ ...deps(), now }, await readPlans(bench.store.db));
      await idle();
    };
    await look(23);
    await expect(versions('birds')).rejects.toMatchObject({ status: 404 });
    await look(25);
    expect(await versions('birds')).toBe(1);
    expect((await told(repository, 'birds')).at(-1)).toMatch(/^success: Live/);
    const before = await told(repository, 'birds');
    await look(25);
    expect(await told(repository, 'birds')).toEqual(before);
  },
);

test.each([
  {
    what: 'no file',
    name: 'nothing',
    entry: 'file: gone.yaml',
    says: /^failure: \.github\/docloom\.yml:4: There is no file gone\.yaml/,
  },
  {
    what: 'a private address',
    name: 'private',
    entry: 'url: https://127.0.0.1:9/openapi.yaml',
    says: /^failure: .*127\.0\.0\.1/,
  },
  {
    what: 'a secret that nobody set',
    name: 'secret',
    entry: 'url: https://example.com/a.yaml\n    headers: { Authorization: TOKEN }',
    says: /^failure: .*the operator sets OPENAPI_SECRET_TOKEN\.$/,
  },
])('$what is told on the commit, with what to do', async ({ name, entry, says }) => {
  const repository = await sample(name, `  - name: ${name}\n    ${entry}\n`);
  expect((await told(repository, name)).at(-1)).toMatch(says);
});

testAtLength('a name that a repository has claimed is refused to another', async () => {
  const openapi = '  - name: shared\n    file: openapi.yaml\n';
  const files = { 'openapi.yaml': api, 'schemas.yaml': pet('string') };
  const first = await sample('first', openapi, files);
  const second = await sample('second', openapi, files);
  expect((await told(first, 'shared')).at(-1)).toMatch(/^success/);
  expect((await told(second, 'shared')).at(-1)).toMatch(/^failure: .*comes from another repository/);
});

testAtLength(
  'URLs have a schedule in the time zone of the repository, and lose it with their entry',
  async () => {
    const url = 'url: https://127.0.0.1:9/openapi.yaml';
    const config = (entry: string) => ({
      '.github/docloom.yml': `spaces:\n  - directory: docs\ntimezone: Europe/Berlin\n${entry}`,
    });
    const repository = await sample('planned', `  - name: planned\n    ${url}\n`);
    const plans = async () => {
      await createScheduler(deps()).poll(AbortSignal.timeout(60_000));
      await idle();
      const all = await bench.queue.schedules(specJob);
      return all.filter(({ key }) => key === `${repository.id}/planned`);
    };
    await commit(repository, config(`openapi:\n  - name: planned\n    ${url}\n    schedule: weekly\n`));
    const [plan] = await plans();
    expect(plan).toMatchObject({ cron: '0 3 * * 1', timeZone: 'Europe/Berlin' });

    const { store, queue, organizationId } = bench;
    const { db, pool } = store;
    const status = createStatusPages({
      ...{ db, pool, queue, organizationId },
      ...{ maxWords: null, retainDisconnectedDays: null, app: () => null },
    });
    expect((await status.find(repository.id))?.specifications).toMatchObject([
      {
        name: 'planned',
        source: { kind: 'url', at: 'https://127.0.0.1:9/openapi.yaml' },
        error: expect.stringContaining('127.0.0.1'),
        lookedAt: expect.any(String),
        next: plan?.next.toISOString(),
      },
    ]);
    expect((await status.work()).schedules).toContainEqual(
      expect.objectContaining({
        name: 'sync.openapi',
        about: 'acme/planned planned',
        timeZone: 'Europe/Berlin',
      }),
    );
    // Somebody asks for it before its time.
    await status.readSpecification(repository.id, 'planned');
    expect((await queue.counts()).find(({ name }) => name === 'sync.openapi')).toMatchObject({ failed: 0 });
    await idle();

    await commit(repository, config(''));
    expect(await plans()).toEqual([]);
  },
);

test('a secret is sent to its hosts only', () => {
  const { secretFor, malformed } = readOpenApiSecrets({
    OPENAPI_SECRET_A: 'a.example,b.example Bearer x y',
    OPENAPI_SECRET_B: 'x',
  });
  expect(secretFor('A', 'B.example')).toBe('Bearer x y');
  expect([secretFor('A', 'c.example'), secretFor('B', 'x'), secretFor('C', 'x')]).toEqual([null, null, null]);
  expect(malformed).toEqual(['OPENAPI_SECRET_B']);
});
