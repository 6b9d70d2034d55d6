/** The database and the blobs of an earlier release (fixtures/upgrade), opened and served by this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, listTokens } from '../../src/platform/tokens/index.ts';
import { openQueue } from '../../src/queue/index.ts';
import { loadServerConfig } from '../../src/server/config/config.ts';
import { createLog } from '../../src/server/log.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { linkJob } from '../../src/sync/external-links/link-job.ts';
import { pickPort } from '../support/pick-port.ts';
import { FIXTURE_SECRET_KEY, listAnswers, PUBLIC_URL, restoreFixture } from '../support/upgrade/fixture.ts';
import { waitFor } from '../support/wait-for.ts';

const releases = readdirSync('fixtures/upgrade', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

it('has a fixture of each release that the changelog dates', () => {
  const dated = [
    ...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm),
  ];
  expect(releases.toSorted()).toEqual(dated.map(([, release]) => release).toSorted());
});

describe.each(releases)('a database of release %s', (release) => {
  let dataDir: string;
  let fixture: Awaited<ReturnType<typeof restoreFixture>>;
  let store: Store;
  let server: RunningServer;
  let token: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'docloom-upgrade-'));
    fixture = await restoreFixture(release, dataDir);
    store = await openStore({ dataDir, databaseUrl: fixture.url });
  });
  afterAll(async () => {
    await server?.close();
    await store?.close();
    await fixture?.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  async function call(method: string, path: string) {
    const response = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  it('keeps its waiting and failed jobs', async () => {
    const queue = await openQueue(store);
    const counts = (await queue.counts()).find(({ name }) => name === linkJob.name);
    expect(counts).toMatchObject({ waiting: 2, active: 0, failed: 1 });
    expect(await queue.failed()).toMatchObject([
      { name: linkJob.name, payload: { url: 'https://failed.invalid/' }, error: 'The address is refused.' },
    ]);
    await queue.stop();
  });

  it('is served unchanged: spaces, pages, files, links, search, operations, change requests', async () => {
    const log = createLog('error', { write: (line: string) => void process.stderr.write(line) });
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: fixture.url,
      SECRET_KEY: FIXTURE_SECRET_KEY,
      PORT: String(await pickPort()),
      PUBLIC_URL,
    };
    server = await startServer(loadServerConfig(settings), log);
    ({ token } = await createToken(store.db, { name: 'upgrade', role: 'admin' }));
    expect(await listAnswers(call)).toMatchObject(fixture.answers);
    const tokens = await Array.fromAsync(listTokens(store.db));
    const earlier = tokens.find(({ name }) => name === 'fixture');
    // Tokens had no expiry before.
    const days = ((earlier?.expiresAt?.getTime() ?? 0) - Date.now()) / (24 * 60 * 60 * 1000);
    expect(Math.round(days)).toBeGreaterThanOrEqual(365);
    expect(days).toBeLessThanOrEqual(366);
    expect(tokens.find(({ name }) => name === 'docloom serve')?.expiresAt).toBeNull();
  });

  it('serves the bytes of its files', async () => {
    const paths = Object.keys(fixture.answers).filter((path) => path.endsWith('/content/files'));
    const files = paths.flatMap(
      (path) => (fixture.answers[path] as { items: { downloadURL: string; size: number }[] }).items,
    );
    expect(files.length).toBeGreaterThan(2);
    for (const { downloadURL, size } of files) {
      const answer = await fetch(downloadURL.replace(PUBLIC_URL, server.url), {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      expect((await answer.arrayBuffer()).byteLength).toBe(size);
    }
  });

  it('shows what is live, what was exported, and what the configuration declares', async () => {
    const answer = await fetch(`${server.url}/status.json`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { items } = (await answer.json()) as { items: object[] };
    const succeeded = (title: string, direction: string) => ({
      title,
      liveOid: expect.stringMatching(/^[0-9a-f]{40}$/),
      error: null,
      disconnected: null,
      operation: { direction, state: 'success' },
    });
    expect(items).toMatchObject([
      {
        name: 'lantern/docs',
        configError: null,
        lastDelivery: { state: 'ignored' },
        spaces: [
          { ...succeeded('Lantern Guide', 'export'), exported: { outcome: 'proposed', pull: { number: 2 } } },
          { ...succeeded('Lantern Reference', 'import'), exported: null },
        ],
        specifications: [{ name: 'lantern', state: 'complete', error: null }],
        translations: [{ language: 'de', status: 'completed', error: null }],
      },
    ]);
  });

  it('continues: waiting jobs run, failed ones can be retried, change requests can be merged', async () => {
    const queue = await openQueue(store);
    const addresses: string[] = [];
    await queue.work(linkJob, async ({ url }) => void addresses.push(url));
    const [failed] = await queue.failed();
    expect(await queue.retry(failed?.id ?? '')).toBe(true);
    await waitFor(
      async () => addresses.length === 2,
      () => `two jobs have run, not ${addresses.length}`,
    );
    expect(addresses.toSorted()).toEqual(['https://due.invalid/', 'https://failed.invalid/']);
    await queue.stop();

    const [path, list] = Object.entries(fixture.answers).find(
      ([path, answer]) =>
        path.endsWith('/change-requests') &&
        (answer as { items: { subject: string }[] }).items.some(({ subject }) => subject === 'A second note'),
    ) as [string, { items: { id: string; status: string }[] }];
    const proposed = list.items.find(({ status }) => status === 'open');
    await call('POST', `${path}/${proposed?.id}/merge`);
    const space = path.replace('/change-requests', '');
    const { items } = await call('GET', `${space}/search?query=second`);
    expect(items).toMatchObject([{ title: 'Second' }]);
  });
});
