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
import { PATIENCE_MS } from '../support/patience.ts';

const doomed = defineJob({
  name: 'test.doomed',
  payload: Type.Object({ space: Type.String() }),
  retryLimit: 3,
  retryDelay: 1,
  retryDelayMax: 1,
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
  await queue.enqueue(database.store.db, doomed, { space: 'guide' });
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
  expect(listed).toContain('test.doomed: 0 waiting, 0 running, 1 failed');
  expect(listed).toMatch(
    /test\.doomed \{"space":"guide"\}\n {2}failed \S+ after 1 try: The repository octo\/docs is gone\./,
  );
  const [failed] = await queue.failed();
  expect(await run({ kind: 'retry', id: failed?.id ?? '' })).toContain('waits to run again');
  await vi.waitFor(() => expect(runs).toBe(2), PATIENCE_MS);
});

it('says so when there is no such failed job', async () => {
  await expect(run({ kind: 'retry', id: 'nothing' })).rejects.toThrow('There is no failed job nothing');
});

it('lists the lanes that are paused', async () => {
  expect(await run({ kind: 'lanes' })).toBe('Nothing waits to go out, and no lane is paused.\n');
  await queue.limitLane('host:example.com', { concurrency: 2, rates: [{ count: 1, ms: 1_000 }] });
  const until = new Date(Date.now() + 3_600_000);
  await queue.pauseLane('host:example.com', until);
  expect(await run({ kind: 'lanes' })).toBe(
    `host:example.com (2 at once, 1 in 1 s): 0 waiting, 0 running, paused until ${until.toISOString()}\n`,
  );
});
