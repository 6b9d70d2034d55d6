/**
 * Docloom on several machines: three processes with two folders, one of every role, behind a balancer, on a PostgreSQL
 * with a synchronous standby and an S3-compatible store. `DOCLOOM_CLUSTER=1` sends 1,000 pushes through a storm of faults
 * and 20 kills (a larger number is how many pushes), CI a small one. A backup that is taken meanwhile is restored afterwards,
 * into another database and another prefix of the store, and serves in the place of all that there was.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import type { CommandIo } from '../../src/cli/command.ts';
import { runBackup } from '../../src/cli/commands/backup.ts';
import { runRestore } from '../../src/cli/commands/restore.ts';
import type { Stage } from '../../src/cli/demo/open-stage.ts';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { operations } from '../../src/client/index.ts';
import type { Environment } from '../../src/server/config/index.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { createDatabase, openPool } from '../support/database.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { pickPort } from '../support/pick-port.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database.ts';
import { findSpace, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';
import { openStorm } from './support/storm.ts';

const wanted = Number(process.env['DOCLOOM_CLUSTER'] ?? 0);
const pushes = wanted === 0 ? 24 : wanted === 1 ? 1_000 : wanted;
const repositories = Math.min(20, Math.ceil(pushes / 8));
const kills = wanted === 0 ? 5 : 20;
const PATIENCE_MS = wanted === 0 ? 230_000 : 60 * 60_000;

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
    const port = await pickPort();
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
      await balancer.lead([first, web.url]);
      let failed = false;
      const failOver = async () => {
        if (failed) return await web.kill();
        failed = true;
        await database.failOver();
      };
      const file = join(folder, 'backup');
      let isBackedUp = false;
      const backUp = async () => {
        if (isBackedUp) return;
        isBackedUp = true;
        await runCommand(runBackup, file, stage().env);
      };
      const killFirst = async () => {
        await stage().docloom().kill();
        await stage().restart();
      };
      const size = { repositories, pushes, kills, processes: 1 } as const;
      const storm = await openStorm(stage(), size, [
        killFirst,
        worker.kill,
        async () => void (await Promise.all([backUp(), web.kill()])),
        failOver,
        objects.kill,
      ]);
      try {
        await storm.rage();
        const patient = { timeout: PATIENCE_MS - 60_000, interval: wanted > 0 ? 2_000 : 200 };
        await expect.poll(() => storm.complaints(), patient).toEqual([]);
        expect(failed).toBe(true);
        expect(storm.offences()).toEqual([]);
        expect(doubledReviews()).toEqual([]);
        await expectFiles(stage(), [first, web.url]);

        await Promise.all([stage().docloom().stop(), web.stop(), worker.stop()]);
        const restored = await restore(file);
        const commits = await restored.commits();
        const history = await storm.history();
        expect(commits.filter(({ title, commit }) => !history.get(title)?.includes(commit))).toEqual([]);
        const isBehind =
          commits.length < repositories ||
          commits.some(({ title, commit }) => history.get(title)?.[0] !== commit);
        // In a small storm, all may have been pushed by the time of the backup.
        expect(isBehind || wanted === 0).toBe(true);
        await balancer.lead([await restored.start()]);
        const platform = await openPlatform(restored.stage);
        await expect.poll(() => storm.complaintsAbout(platform), patient).toEqual([]);
        expect(storm.offences()).toEqual([]);
        await expectFiles(restored.stage, balancer.targets);
      } finally {
        await storm.close();
      }
    },
    PATIENCE_MS,
  );

  /** Restores the backup where nothing is of what there was but the object store, at a prefix of its own. */
  async function restore(file: string) {
    const { url: databaseUrl, drop } = await createDatabase();
    const dataDir = join(folder, 'restored');
    const port = await pickPort();
    const env = {
      ...stage().env,
      ROLE: 'all',
      DATABASE_URL: databaseUrl,
      BLOBS_URL: 's3://docs/restored',
      DATA_DIR: dataDir,
      PORT: String(port),
    };
    let running: RunningDocloom | undefined;
    others.push({
      kill: async () => {},
      async stop() {
        await running?.stop();
        await drop();
      },
    });
    await runCommand(runRestore, file, env);
    return {
      stage: { ...stage(), env },
      /** Which commit of its branch each space shows. */
      async commits(): Promise<readonly { readonly title: string; readonly commit: string }[]> {
        const pool = openPool(databaseUrl);
        const { rows } = await pool.query<{ title: string; commit: string }>(`
          select s.title, r.commit_oid as commit
          from spaces s join revisions r on r.id = s.revision_id where r.commit_oid is not null`);
        await pool.end();
        return rows;
      },
      async start(): Promise<string> {
        const url = `http://127.0.0.1:${port}`;
        const logFile = join(folder, 'restored.log');
        running = await startDocloom({ env, url, logFile, signal: new AbortController().signal });
        return url;
      },
    };
  }

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
  async function expectFiles(of: Stage, urls: readonly string[]): Promise<void> {
    const platform = await openPlatform(of);
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

async function runCommand(
  command: (file: string, io: CommandIo) => Promise<number>,
  file: string,
  env: Environment,
): Promise<void> {
  const output = new PassThrough().resume();
  const { signal } = new AbortController();
  const io = { stdout: output, stderr: output, env, cwd: tmpdir(), signal } as unknown as CommandIo;
  expect(await command(file, io)).toBe(0);
}

/** The object store, in a process of its own. */
async function startObjects(folder: string) {
  const port = await pickPort();
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
