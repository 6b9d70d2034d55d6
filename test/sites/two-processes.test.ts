import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/cli/demo/free-port.ts';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { createToken } from '../../src/platform/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';

interface Process {
  readonly url: string;
  readonly running: RunningDocloom;
}

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let folder: string;
let store: Store;
let processes: readonly Process[] = [];
const stop = new AbortController();

/** A process of `docloom serve`; all of them have one database and one folder. */
async function startProcess(): Promise<Process> {
  const port = await freePort(0);
  const url = `http://127.0.0.1:${port}`;
  const running = await startDocloom({
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
    },
    url,
    logFile: join(folder, `${port}.log`),
    signal: stop.signal,
  });
  return { url, running };
}

describeAtLength('a site in two processes of docloom serve', false, () => {
  beforeAll(async () => {
    database = await createMigratedDatabase();
    folder = await mkdtemp(join(tmpdir(), 'docloom-processes-'));
    store = await openStore({ dataDir: folder, databaseUrl: database.url });
    processes = await Promise.all([startProcess(), startProcess()]);
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all(processes.map(({ running }) => running.stop()));
    await store?.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('closes in both once its share link is switched off in one, and opens again', async () => {
    const [first] = processes as [Process];
    const { token, organization } = await createToken(store.db, { name: 'test', role: 'admin' });
    const call = async (method: string, path: string, body: object) => {
      const answer = await fetch(`${first.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([path, answer.ok]).toEqual([path, true]);
      return (await answer.json()) as { id: string; basename: string; urls: { published: string } };
    };
    const ofOrganization = `/orgs/${organization.id}`;
    await call('PATCH', ofOrganization, { hostname: 'acme' });
    const { id: spaceId } = await call('POST', `${ofOrganization}/spaces`, { title: 'Guide' });
    const { id: changeId } = await call('POST', `/spaces/${spaceId}/change-requests`, { subject: 'All' });
    const changes = [{ type: 'write', path: 'README.md', text: '# A shy quokka\n' }];
    await call('POST', `/spaces/${spaceId}/change-requests/${changeId}/content`, { changes });
    await call('POST', `/spaces/${spaceId}/change-requests/${changeId}/merge`, {});
    const made = { title: 'Docs', visibility: 'share-link', spaces: [spaceId] };
    const { id: siteId } = await call('POST', `${ofOrganization}/sites`, made);
    const ofSite = `${ofOrganization}/sites/${siteId}`;
    await call('POST', `${ofSite}/publish`, {});
    const link = await call('POST', `${ofSite}/share-links`, { name: 'Friends' });
    const { pathname, searchParams } = new URL(link.urls.published);

    const cookie = `docloom-share-${siteId}=${searchParams.get('shareKey')}`;
    const surfaces = ['', '/llms-full.txt', '/~/search?q=quokka', '/feed.xml'];
    const statuses = async () =>
      (
        await Promise.all(
          processes.map(({ url }) =>
            Promise.all(
              surfaces.map(async (path) => {
                const address = `${url}${pathname.replace(/\/$/, '')}${path}`;
                const answer = await fetch(address, { headers: { cookie }, redirect: 'manual' });
                const isThere = (await answer.text()).includes('quokka');
                return answer.status === 200 ? isThere : answer.status === 404 ? isThere && 'told' : 'other';
              }),
            ),
          ),
        )
      ).flat();
    const all = (value: boolean) => Array.from({ length: processes.length * surfaces.length }, () => value);
    await waitFor(async () => (await statuses()).every((status) => status === true));
    for (const active of [false, true]) {
      await call('PATCH', `${ofSite}/share-links/${link.id}`, { active });
      await waitFor(async () => (await statuses()).every((status) => status === active));
      expect(await statuses()).toEqual(all(active));
    }
  });
});
