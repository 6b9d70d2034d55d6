import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import Type from 'typebox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CommandIo } from '../../src/cli/command.ts';
import { runJobs } from '../../src/cli/commands/jobs.ts';
import { defineJob, openQueue, PermanentFailure, type Queue } from '../../src/queue/index.ts';
import { openTestDatabase } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const doomed = defineJob({
  name: 'test.doomed',
  payload: Type.Object({ guide: Type.String() }),
  retryLimit: 3,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 60,
  concurrency: 1,
});

const flaky = defineJob({
  name: 'test.flaky',
  payload: Type.Object({ spaceId: Type.String() }),
  retryLimit: 3,
  retryDelay: 3_600,
  retryDelayMax: 3_600,
  expireInSeconds: 60,
  concurrency: 1,
});

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let queue: Queue;
let dataDir: string;
let runs = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docloom-jobs-'));
  database = await openTestDatabase();
  queue = await openQueue(database.store);
  await queue.work(doomed, async () => {
    runs += 1;
    throw new PermanentFailure('The repository octo/docs is gone.');
  });
  await queue.work(flaky, async () => {
    throw new Error('GitHub is away.');
  });
  await queue.enqueue(database.store.db, doomed, { guide: 'one' });
  await vi.waitFor(async () => expect(await queue.failed()).toHaveLength(1), PATIENCE_MS);
});
afterAll(async () => {
  await queue.stop();
  await database.close();
  await rm(dataDir, { recursive: true });
});

async function run(action: Parameters<typeof runJobs>[0]): Promise<string> {
  const stdout = new PassThrough().setEncoding('utf8');
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url };
  const io: CommandIo = {
    stdout: stdout as unknown as CommandIo['stdout'],
    stderr: process.stderr,
    env,
    cwd: dataDir,
    signal: new AbortController().signal,
  };
  expect(await runJobs(action, io)).toBe(0);
  return String(stdout.read());
}

it('lists a failed job with its reason, and runs it again', async () => {
  const listed = await run({ kind: 'list' });
  expect(listed).toMatch(/^JOBS +WAITING +RUNNING +FAILED\ntest\.doomed +0 +0 +1\n/);
  expect(listed).toMatch(
    /test\.doomed {2}\{"guide":"one"\}\n {2}1 try, the last at \S+Z: The repository octo\/docs is gone\.\n$/,
  );
  const [failed] = await queue.failed();
  expect(await run({ kind: 'retry', id: failed?.id ?? '' })).toContain('waits to run again');
  await vi.waitFor(() => expect(runs).toBe(2), PATIENCE_MS);
});

it('lists what is tried again by itself, with the reason', async () => {
  await queue.enqueue(database.store.db, flaky, { spaceId: 'sp1' });
  const next = () => run({ kind: 'list', json: true }).then((line) => JSON.parse(line));
  await vi.waitFor(async () => expect((await next()).failing).toHaveLength(1), PATIENCE_MS);
  expect((await next()).failing).toMatchObject([
    { name: 'test.flaky', attempts: 1, error: 'GitHub is away.' },
  ]);
  expect(await run({ kind: 'list' })).toMatch(
    /Tried again by themselves:\n\n\S+ {2}test\.flaky {2}space sp1\n {2}1 try so far, the next at \S+Z: GitHub is away\.\n/,
  );
});

testAtLength('runs all failed jobs of a kind again', async () => {
  await vi.waitFor(async () => expect(await queue.failed()).toHaveLength(1), PATIENCE_MS);
  expect(await run({ kind: 'retry', of: 'test.other' })).toBe('No test.other job has failed.\n');
  expect(await run({ kind: 'retry', of: 'test.doomed' })).toBe('1 test.doomed job waits to run again.\n');
  await vi.waitFor(() => expect(runs).toBe(3), PATIENCE_MS);
  await vi.waitFor(async () => expect(await queue.failed()).toHaveLength(1), PATIENCE_MS);
  expect(await run({ kind: 'retry', all: true })).toBe('1 job waits to run again.\n');
  await vi.waitFor(() => expect(runs).toBe(4), PATIENCE_MS);
});

it.each([{}, { id: 'x', all: true }, { of: 'a', all: true }])(
  'asks which where it is told %o',
  async (wish) => {
    await expect(run({ kind: 'retry', ...wish })).rejects.toThrow('Say which: ');
  },
);

it('says so when there is no such failed job', async () => {
  await expect(run({ kind: 'retry', id: 'nothing' })).rejects.toThrow('There is no failed job nothing');
});

it('lists the rate limits that are paused', async () => {
  expect(await run({ kind: 'rate-limits' })).toBe(
    'Nothing waits for a rate limit, and no rate-limited queue is paused.\n',
  );
  await queue.setRateLimit('host:example.com', { concurrency: 2, rates: [{ count: 1, ms: 1_000 }] });
  const until = new Date(Date.now() + 3_600_000);
  await queue.pauseRateLimit('host:example.com', until);
  expect(await run({ kind: 'rate-limits' })).toMatch(
    new RegExp(
      `^GROUP +LIMITS +LAST START +PAUSED UNTIL +WAITING +RUNNING\\nhost:example\\.com +2 at once, 1 in 1 s +- +${until.toISOString()} +0 +0\\n$`,
    ),
  );
});
