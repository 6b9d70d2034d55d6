/**
 * Docloom on several machines: three processes with two folders, one of every role, behind a balancer, on a PostgreSQL
 * with a synchronous standby and an S3-compatible store. `DOCLOOM_CLUSTER=1` sends 1,000 pushes through a storm of faults
 * and 20 kills (a larger number is how many pushes), CI a small one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../src/cli/demo/free-port.ts';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { operations } from '../../src/client/index.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database.ts';
import { findSpace, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';
import { openStorm } from './support/storm.ts';

const wanted = Number(process.env['DOCLOOM_CLUSTER'] ?? 0);
const pushes = wanted === 0 ? 24 : wanted === 1 ? 1_000 : wanted;
const repositories = Math.min(20, Math.ceil(pushes / 8));
const kills = wanted === 0 ? 5 : 20;
const PATIENCE_MS = wanted === 0 ? 170_000 : 60 * 60_000;

describeAtLength('a cluster', wanted > 0, () => {
  let folder: string;
  let database: ReplicatedDatabase;
  let balancer: Balancer;
  let objects: Awaited<ReturnType<typeof startObjects>>;
  const others: { kill(): Promise<void>; stop(): Promise<void> }[] = [];
  const stage = useStage(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'docloom-cluster-'));
      [database, balancer, objects] = await Promise.all([
        startReplicatedDatabase({ synchronous: true }),
        startBalancer(),
        startObjects(folder),
      ]);
      return {
        DATABASE_URL: database.url,
        SECRET_KEY: 'a key that all processes of this file have',
        BLOBS_URL: 's3://docs/bytes',
        BLOBS_ENDPOINT: `http://127.0.0.1:${objects.port}`,
        BLOBS_ACCESS_KEY_ID: 'S3RVER',
        BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
        RECONCILE_SECONDS: '5',
      };
    },
    () => balancer.url,
  );
  afterAll(async () => {
    await Promise.all(others.map((other) => other.stop()));
    await Promise.all([balancer?.close(), objects?.stop(), database?.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  /** One more process, with its folder, which it shares with others of the same name. */
  async function startProcess(role: 'web' | 'worker', dataDir: string) {
    await mkdir(join(folder, dataDir), { recursive: true });
    const port = await freePort(0);
    const url = `http://127.0.0.1:${port}`;
    const env = { ...stage().env, ROLE: role, DATA_DIR: join(folder, dataDir), PORT: String(port) };
    const logFile = join(folder, `${role}.log`);
    const start = () => startDocloom({ env, url, logFile, signal: new AbortController().signal });
    let running: RunningDocloom = await start();
    const process = {
      url,
      async kill() {
        await running.kill();
        running = await start();
      },
      stop: () => running.stop(),
    };
    others.push(process);
    return process;
  }

  it(
    `keeps every push of ${pushes} through ${kills} kills, and every file in every process`,
    async () => {
      const first = `http://127.0.0.1:${stage().env['PORT']}`;
      const web = await startProcess('web', 'second');
      const worker = await startProcess('worker', 'second');
      balancer.targets = [first, web.url];
      let failed = false;
      const failOver = async () => {
        if (failed) return await web.kill();
        failed = true;
        await database.failOver();
      };
      const killFirst = async () => {
        await stage().docloom().kill();
        await stage().restart();
      };
      const size = { repositories, pushes, kills, processes: 1 } as const;
      const storm = await openStorm(stage(), size, [
        objects.kill,
        worker.kill,
        failOver,
        web.kill,
        killFirst,
      ]);
      try {
        await storm.rage();
        const patient = { timeout: PATIENCE_MS - 60_000, interval: wanted > 0 ? 2_000 : 200 };
        await expect.poll(() => storm.complaints(), patient).toEqual([]);
        expect(failed).toBe(true);
        expect(storm.offences()).toEqual([]);
        expect(doubledReviews()).toEqual([]);
        await expectFiles([first, web.url]);
      } finally {
        await storm.close();
      }
    },
    PATIENCE_MS,
  );

  /** Pull requests that were reviewed or checked more than once for the same commit. */
  function doubledReviews(): readonly string[] {
    const { forge } = stage();
    return forge.repositories().flatMap(({ fullName }) =>
      forge.pulls(fullName).flatMap(({ number }) => {
        const bodies = forge.reviews(fullName, number).map((review) => JSON.stringify(review.comments));
        return new Set(bodies).size === bodies.length ? [] : [`${fullName}#${number}`];
      }),
    );
  }

  /** That each process answers each picture with the bytes of its branch. */
  async function expectFiles(urls: readonly string[]): Promise<void> {
    const platform = await openPlatform(stage());
    for (const { fullName } of stage().forge.repositories()) {
      const [, repo = ''] = fullName.split('/');
      const space = await findSpace(platform, repo);
      const { items } = await platform.client.call(operations.listFiles, { params: { spaceId: space.id } });
      expect(items.map(({ name }) => name)).toEqual(['picture.svg']);
      for (const url of urls) {
        const address = new URL(items[0]?.downloadURL ?? '');
        const answer = await fetch(`${url}${address.pathname}${address.search}`, {
          headers: { authorization: `Bearer ${platform.token}` },
        });
        expect([url, answer.status, await answer.text()]).toEqual([
          url,
          200,
          expect.stringContaining(`id="${repo}-`),
        ]);
      }
    }
  }
});

/** The object store, in a process of its own. */
async function startObjects(folder: string) {
  const port = await freePort(0);
  const program = join(import.meta.dirname, '../support/object-process.ts');
  const start = async () => {
    const child = spawn(process.execPath, [program, String(port), join(folder, 'objects')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  };
  let child = await start();
  const end = async () => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    port,
    async kill() {
      await end();
      child = await start();
    },
    stop: end,
  };
}
