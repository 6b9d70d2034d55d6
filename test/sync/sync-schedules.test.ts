/** What the configurations of repositories plan, and what becomes of it when they change or go. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openQueue, type Queue } from '../../src/queue/index.ts';
import { bindings, repositories } from '../../src/store/schema/github.ts';
import { gatherJob } from '../../src/sync/external-links/link-job.ts';
import { scheduleGathering } from '../../src/sync/external-links/schedule-gathering.ts';
import { scheduleSpecs } from '../../src/sync/openapi/schedule-specs.ts';
import { specJob } from '../../src/sync/openapi/spec-job.ts';
import { readPlans } from '../../src/sync/sync-schedules.ts';
import { scheduleTranslations } from '../../src/sync/translations/schedule-translations.ts';
import { translateJob } from '../../src/sync/translations/translate-job.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database.store);
});

beforeEach(async () => {
  await database.store.db.delete(bindings);
  await database.store.db.delete(repositories);
  await plan();
  expect(await planned()).toEqual([]);
});

afterAll(async () => {
  await queue.stop();
  await database.close();
});

const ALL = `
timezone: Europe/Vienna
external-links: { schedule: weekly }
openapi:
  - { name: petstore, url: 'https://api.example.com/openapi.json', schedule: hourly }
  - { name: local, file: openapi.yaml }
translations:
  - { space: docs, languages: [de], schedule: daily }
`;

test('each kind of job gets the schedules that the configuration names', async () => {
  await connect(1, ALL);
  await plan();
  expect(await planned()).toEqual([
    'sync.external-links 1 0 3 * * 1 Europe/Vienna',
    'sync.openapi 1/petstore 0 * * * * Europe/Vienna',
    `sync.translate 1/${Buffer.from('docs').toString('base64url')}.de 0 3 * * * Europe/Vienna`,
  ]);
});

test('a configuration that cannot be read leaves its schedules alone, while those of other repositories change', async () => {
  await connect(1, ALL);
  await connect(11, ALL.replace('name: petstore', 'name: other'));
  await plan();
  const before = await planned();
  await connect(1, 'spaces: [');
  await connect(11, 'external-links: { schedule: off }');
  await plan();
  expect(await planned()).toEqual(before.filter((one) => /^\S+ 1(\/| )/.test(one)));
});

test('a changed schedule replaces the previous one, and is deleted with its repository', async () => {
  await connect(1, 'external-links: { schedule: weekly }');
  await plan();
  await connect(1, 'external-links: { schedule: "15 4 * * *" }');
  await plan();
  expect(await planned()).toEqual(['sync.external-links 1 15 4 * * * UTC']);
  await connect(1, 'external-links: { schedule: "15 4 * * *" }', 'removed');
  await plan();
  expect(await planned()).toEqual([]);
});

async function plan(): Promise<void> {
  const deps = { db: database.store.db, queue, now: () => new Date() };
  const all = await readPlans(deps.db);
  await scheduleGathering(deps, all);
  await scheduleSpecs(deps, all);
  await scheduleTranslations(deps, all);
}

async function planned(): Promise<string[]> {
  const kept = [];
  for (const job of [gatherJob, specJob, translateJob]) {
    for (const { key, cron, timeZone } of await queue.schedules(job)) {
      kept.push([job.name, key, cron, timeZone].join(' '));
    }
  }
  return kept;
}

async function connect(id: number, configText: string, disconnected: string | null = null): Promise<void> {
  const { db } = database.store;
  await db
    .insert(repositories)
    .values({
      id,
      installationId: 7,
      fullName: `owner/docs-${id}`,
      defaultBranch: 'main',
      configText,
      disconnected,
    })
    .onConflictDoUpdate({ target: repositories.id, set: { configText, disconnected } });
  await db
    .insert(bindings)
    .values({
      id: randomUUID(),
      installationId: 7,
      repositoryId: id,
      repository: `owner/docs-${id}`,
      branch: 'main',
      directory: 'docs',
      title: 'Docs',
      spaceId: null,
      disconnected,
    })
    .onConflictDoNothing();
}
