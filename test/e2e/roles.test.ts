/** One process answers, others work, each with a folder of its own; one of the workers leaves in the middle of an import. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { waitForStatuses } from '../../src/cli/demo/observe.ts';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { operations } from '../../src/client/index.ts';
import { JOB_KINDS } from '../../src/server/roles.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { type ObjectServer, startObjectServer } from '../support/object-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { pickPort } from '../support/pick-port.ts';
import { createAuthor } from './support/author.ts';
import { findSpace, listOperations, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';

describeAtLength('docloom serve --role', false, () => {
  let folder: string;
  let objects: ObjectServer;
  let drop: () => Promise<void>;
  const workers: RunningDocloom[] = [];
  const stage = useStage(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docloom-roles-'));
    objects = await startObjectServer(folder);
    const database = await createMigratedDatabase();
    ({ drop } = database);
    return {
      ROLE: 'web',
      DATABASE_URL: database.url,
      SECRET_KEY: 'a key that all processes of this file have',
      BLOBS_URL: 's3://docs/bytes',
      BLOBS_ENDPOINT: objects.settings.endpoint,
      BLOBS_ACCESS_KEY_ID: 'S3RVER',
      BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
    };
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await objects?.close();
    await drop?.();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  async function startWorker(env: Readonly<Record<string, string>>) {
    const port = await pickPort();
    const url = `http://127.0.0.1:${port}`;
    const running = await startDocloom({
      env: {
        ...stage().env,
        ROLE: 'worker',
        DATA_DIR: join(folder, String(port)),
        PORT: String(port),
        ...env,
      },
      url,
      logFile: join(folder, `${port}.log`),
      signal: new AbortController().signal,
    });
    workers.push(running);
    return { url, running };
  }

  const statusOf = async (url: string) => (await fetch(url)).status;

  it('answers in one process and imports in another, which hands its work to the next when it is stopped', async () => {
    const { url } = stage();
    for (const probe of ['/livez', '/startupz', '/readyz'])
      expect([probe, await statusOf(url + probe)]).toEqual([probe, 200]);
    const ofWeb = await (await fetch(`${url}/metrics`)).text();
    expect(ofWeb).toMatch(/^docloom_process_info\{role="web",queues="none",release="[\d.]+"\} 1$/m);
    const kinds = new Set([...ofWeb.matchAll(/^docloom_jobs\{queue="([^"]+)"/gm)].map(([, kind]) => kind));
    expect([...kinds].sort()).toEqual(JOB_KINDS.filter((kind) => kind !== 'identity.link'));

    const author = await createAuthor(stage(), { owner: 'roles', repo: 'role-docs' });
    const slow = stage().forge.faults.set({
      on: 'git',
      kind: 'slow',
      slowMs: 60_000,
      path: /role-docs\.git\/git-upload-pack/,
    });
    const oid = await author.publish({
      '.github/docloom.yml': 'spaces:\n  - directory: .\n    title: role-docs\n',
      'README.md': '# Roles\n\n![dot](dot.svg)\n',
      'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    });
    // It takes longer to leave than the test takes: so what follows is not the consequence of its end.
    const first = await startWorker({ DRAIN_SECONDS: '300' });
    await expect.poll(() => slow.struck, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    expect([await statusOf(`${first.url}/`), await statusOf(`${first.url}/s/x`)]).toEqual([404, 404]);
    // Its API is for itself: 401 without a token, and nothing for who comes through a proxy on its machine.
    const api = `${first.url}/v1/user`;
    const proxied = await fetch(api, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect([await statusOf(api), proxied.status]).toEqual([401, 404]);
    expect(await (await fetch(`${first.url}/metrics`)).text()).toContain(
      'docloom_process_info{role="worker",queues="all"',
    );

    const second = await startWorker({});
    slow.clear();
    process.kill(first.running.pid, 'SIGTERM');
    await waitForStatuses(author.octokit, author, oid, 1);
    expect([await statusOf(`${first.url}/readyz`), await statusOf(`${first.url}/livez`)]).toEqual([503, 200]);
    const platform = await openPlatform(stage());
    const space = await findSpace(platform, 'role-docs');
    const done = await listOperations(platform, space.id);
    expect(done.map(({ state, commit }) => ({ state, commit }))).toEqual([{ state: 'success', commit: oid }]);
    const files = await platform.client.call(operations.listFiles, { params: { spaceId: space.id } });
    expect(files.items).toHaveLength(1);
    await second.running.stop();
    await expect(fetch(`${second.url}/livez`)).rejects.toThrow();
  });

  it('takes over from a worker that is frozen, which does nothing twice when it runs again', async () => {
    const { forge } = stage();
    const author = await createAuthor(stage(), { owner: 'frozen', repo: 'frozen-docs' });
    const frozen = await startWorker({});
    const slow = forge.faults.set({
      on: 'git',
      kind: 'slow',
      slowMs: 60_000,
      path: /frozen-docs\.git\/git-upload-pack/,
    });
    const oid = await author.publish({
      '.github/docloom.yml': 'spaces:\n  - directory: .\n    title: frozen-docs\n',
      'README.md': '# Frozen\n\n[Gone](gone.md)\n',
    });
    await expect.poll(() => slow.struck, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    process.kill(frozen.running.pid, 'SIGSTOP');
    slow.clear();
    const second = await startWorker({});
    await waitForStatuses(author.octokit, author, oid, 1);
    await second.running.stop();

    // It still believes that the import is its own; what comes next is work for it again.
    process.kill(frozen.running.pid, 'SIGCONT');
    const next = await author.publish({ 'README.md': '# Thawed\n' });
    await waitForStatuses(author.octokit, author, next, 1);
    const platform = await openPlatform(stage());
    const space = await findSpace(platform, 'frozen-docs');
    const done = (await listOperations(platform, space.id)).map(({ state, commit }) => [state, commit]);
    expect(done).toEqual([
      ['success', next],
      ['success', oid],
    ]);
    const ends = forge.statuses(author.fullName, oid).filter(({ state }) => state !== 'pending');
    expect(ends.map(({ state }) => state)).toEqual(['success']);
    expect(await statusOf(`${frozen.url}/readyz`)).toBe(200);
  });
});
