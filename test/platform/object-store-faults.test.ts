/** An object store that fails in any way: imports say why, pages stay readable, and nobody gets wrong bytes. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createHttp, type Http } from '../../src/net/index.ts';
import { openBlobs } from '../../src/store/index.ts';
import { casesAtLength } from '../support/describe-at-length.ts';
import { type ObjectFault, type ObjectServer, startObjectServer } from '../support/object-server.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

let folder: string;
let server: ObjectServer;
let http: Http;
let platform: TestPlatform;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-faults-'));
  server = await startObjectServer(folder);
  http = createHttp({ userAgent: 'test', backoffMs: 1 });
  platform = await startPlatform({
    blobs: (db) =>
      openBlobs({ dataDir: folder, settings: { objects: server.settings, cacheBytes: 1e9 }, db, http }),
  });
});
afterEach(() => {
  server.fault = () => null;
});
afterAll(async () => {
  await platform?.close();
  await http?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const pictureOf = (n: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${n}" height="3"/>\n`;

async function prepare() {
  const n = ++count;
  const { repo, url } = await platform.createRepo(`faults-${n}`);
  await repo.commit({ 'README.md': `# Number ${n}\n\n![dot](dot.svg)\n`, 'dot.svg': pictureOf(n) });
  const spaceId = await platform.createSpace();
  return { n, spaceId, importBranch: () => platform.importBranch(spaceId, { url }) };
}

async function download(spaceId: string) {
  const { items } = (await platform.api('GET', `/spaces/${spaceId}/content/files`)).body;
  const { pathname, search } = new URL(items[0].downloadURL);
  const headers = { authorization: `Bearer ${platform.token}` };
  const answer = await fetch(`${platform.url}${pathname}${search}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

async function emptyCache(): Promise<void> {
  const cache = join(folder, 'blob-cache');
  for (const name of await readdir(cache)) await rm(join(cache, name), { recursive: true });
}

const full: ObjectFault = { status: 507, code: 'XMinioStorageFull' };
const failing: ObjectFault = { status: 500, code: 'InternalError' };

it.each(
  casesAtLength('an import into a store that fails', [], [
    ['refuses', { status: 403, code: 'AccessDenied' }, 'answered 403 AccessDenied'],
    ['is full', full, 'answered 507 XMinioStorageFull'],
    ['fails', failing, 'answered 500 InternalError'],
    ['is overloaded', { status: 503, code: 'SlowDown' }, 'answered 503 SlowDown'],
    ['does not answer', 'no-answer', 'does not answer as it should'],
  ] as const),
)(
  'an import into a store that %s ends with that reason, and the next one succeeds',
  async (_name, fault, reason) => {
    const { n, spaceId, importBranch } = await prepare();
    server.fault = (method) => (method === 'PUT' ? fault : null);
    const failed = await importBranch();
    expect(failed).toMatchObject({
      state: 'failure',
      error: {
        code: 'object-store',
        message: `The object store of this server, which has the bytes of files, ${reason}; try again in a few seconds.`,
      },
    });
    expect((await platform.api('GET', `/spaces/${spaceId}/content`)).body.pages).toEqual([]);
    server.fault = () => null;
    expect(await importBranch()).toMatchObject({ state: 'success', counts: { pages: 1, files: 1 } });
    expect(await download(spaceId)).toEqual({ status: 200, text: pictureOf(n) });
  },
);

it.each(
  casesAtLength(
    'reading from a store that fails in further ways',
    [
      ['breaks off', 'half', 'does not answer as it should'],
      ['answers other bytes', 'other-bytes', 'were lost on this server'],
    ] as const,
    [
      ['fails', failing, 'answered 500 InternalError'],
      ['does not answer', 'no-answer', 'does not answer as it should'],
    ] as const,
  ),
)(
  'while a store %s, files say so and pages are read, and then files are, too',
  async (_name, fault, reason) => {
    const { n, spaceId, importBranch } = await prepare();
    expect(await importBranch()).toMatchObject({ state: 'success' });
    await emptyCache();
    server.fault = (method) => (method === 'GET' ? fault : null);
    const { status, text } = await download(spaceId);
    expect(status).toBe(503);
    expect(JSON.parse(text).error.message).toContain(reason);
    const { pages } = (await platform.api('GET', `/spaces/${spaceId}/content`)).body;
    const page = await platform.api('GET', `/spaces/${spaceId}/content/page/${pages[0].id}?format=markdown`);
    expect(page.body.markdown).toContain(`# Number ${n}`);
    server.fault = () => null;
    expect(await download(spaceId)).toEqual({ status: 200, text: pictureOf(n) });
  },
);

it('what is in the cache of this machine is read while the store does not answer', async () => {
  const { n, spaceId, importBranch } = await prepare();
  await importBranch();
  expect((await download(spaceId)).status).toBe(200);
  server.fault = () => 'no-answer';
  expect(await download(spaceId)).toEqual({ status: 200, text: pictureOf(n) });
});
