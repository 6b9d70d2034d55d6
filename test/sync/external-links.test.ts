/** What is said of addresses outside: over days, with memory, and without asking anybody too often. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readAddress } from '../../src/content/links/outside-address.ts';
import { openQueue, PermanentFailure, type Queue } from '../../src/queue/index.ts';
import { listWork } from '../../src/server/status/list-work.ts';
import {
  deleteUnusedExternalLinks,
  type ExternalLink,
  listExternalFindings,
  loadExternalLink,
  replaceUses,
} from '../../src/store/external-links.ts';
import { checkExternalLink, firstStep, type LinkDeps } from '../../src/sync/external-links/check-link.ts';
import { gatherJob, linkJob } from '../../src/sync/external-links/link-job.ts';
import { type ProbeFinding, updateLinkState } from '../../src/sync/external-links/update-link-state.ts';

import { renderWork } from '../../src/web/views/status-work.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openStandInWeb, type StandInWeb } from './stand-in-web.ts';

let database: TestDatabase;
let queue: Queue;
let web: StandInWeb;
let deps: LinkDeps;
let now = new Date('2026-03-01T12:00:00Z');
let bindings = 0;
const patient = { timeout: PATIENCE_MS, interval: 10 };

const page = (body: string) =>
  `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`;

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database.store);
  web = await openStandInWeb((request, response, host) => {
    const send = (status: number, headers: Record<string, string> = {}, body = '') =>
      void response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
    const [, kind = '', rest = ''] = (request.url ?? '').split('/');
    if (kind === 'status') return send(Number.parseInt(rest, 10));
    if (kind === 'html') {
      const ids = page('<h1 id="top-of-it">A</h1><p id="b">B</p><a name="old">C</a><p id="d%20e"></p>');
      return send(200, { 'content-type': 'text/html; charset=utf-8' }, ids);
    }
    if (kind === 'script')
      return send(200, { 'content-type': 'text/html' }, page('<script src="x"></script>'));
    if (kind === 'no-head') return send(request.method === 'HEAD' ? 405 : 200);
    if (kind === 'head-lies') return send(request.method === 'HEAD' ? 404 : 200);
    if (kind === 'moved') return send(301, { location: web.at('other', '/status/200') });
    if (kind === 'found') return send(302, { location: web.at('other', '/status/200') });
    if (kind === 'moved-away') return send(308, { location: web.at('other', '/status/404') });
    if (kind === 'loop') return send(301, { location: request.url ?? '' });
    if (kind === 'to-private') return send(302, { location: 'http://127.0.0.1:1/' });
    if (kind === 'to-file') return send(302, { location: 'file:///etc/passwd' });
    if (kind === 'silent') return;
    if (kind === 'huge') return void response.writeHead(200).end(Buffer.alloc(6 * 1024 * 1024));
    if (kind === 'broken') return void request.socket.destroy();
    send(host === 'down.test' ? 500 : 200);
  });
  deps = {
    db: database.store.db,
    queue,
    http: web.http,
    now: () => now,
  };
  // Steps follow each other at once: what rate limits allow is another test.
  await queue.work({ ...linkJob, concurrency: 50 }, (payload, { signal }) =>
    checkExternalLink(deps, payload, signal),
  );
});

beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z');
});

afterAll(async () => {
  await queue.stop();
  await web.close();
  await database.close();
});

/** Has addresses looked at, once, and answers what is known of each. */
async function look(...addresses: readonly string[]): Promise<readonly ExternalLink[]> {
  const bindingId = `binding${++bindings}`;
  const read = addresses.map((address) => readAddress(address) as { url: string; fragment: string });
  const uses = read.map((one, line) => ({ bindingId, ...one, path: 'docs/a.md', line: line + 1 }));
  await database.store.db.transaction((tx) => replaceUses(tx, bindingId, uses));
  const urls = [...new Set(read.map(({ url }) => url))];
  for (const url of urls) {
    await queue.setRateLimit(`host:${new URL(url).host}`, { concurrency: 10 });
    await queue.enqueue(database.store.db, linkJob, firstStep(url, bindingId));
  }
  const known = async () =>
    Promise.all(
      urls.map(async (url) => (await loadExternalLink(database.store.db, url))?.link as ExternalLink),
    );
  await vi.waitFor(
    async () => expect((await known()).map(({ checkedAt }) => checkedAt)).toEqual(urls.map(() => now)),
    patient,
  );
  return await known();
}

test.each([
  ['/status/200', 'ok', 200],
  ['/status/204', 'ok', 204],
  ['/no-head', 'ok', 200],
  ['/head-lies', 'ok', 200],
  ['/huge', 'ok', 200],
  ['/found', 'ok', 200],
  ['/moved', 'redirected', 200],
  ['/status/401', 'restricted', 401],
  ['/status/403', 'restricted', 403],
  ['/status/429', 'restricted', 429],
  ['/status/999', 'restricted', 999],
  ['/to-private', 'restricted', 0],
  ['/status/404', 'failing', 404],
  ['/status/410', 'failing', 410],
  ['/status/500', 'failing', 500],
  ['/moved-away', 'failing', 404],
  ['/loop', 'failing', 301],
  ['/to-file', 'failing', 302],
  ['/silent', 'failing', null],
  ['/broken', 'failing', null],
])('%s is %s', async (path, state, status) => {
  await queue.setRateLimit(`host:${new URL(web.at('other')).host}`, { concurrency: 10 });
  const [link] = await look(web.at('one', path));
  expect(link).toMatchObject({ state, status });
  expect(link?.target).toBe(state === 'redirected' ? web.at('other', '/status/200') : null);
  if (state !== 'ok') expect(link?.detail).toMatch(/^[^\n]+\.$/);
});

test('a name without an address fails, and private addresses in all their forms are never requested', async () => {
  const before = web.visits.length;
  const [unknown, ...hidden] = await look(
    'https://no-such-host.invalid/',
    'http://127.0.0.1:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.1.2.3/',
    'http://[fd00::1]/',
    'http://localhost/',
  );
  expect(unknown).toMatchObject({ state: 'failing', status: null });
  expect(new Set(hidden.map(({ state }) => state))).toEqual(new Set(['restricted']));
  expect(web.visits.length).toBe(before);
});

test('fragments are searched for where they can be determined', async () => {
  const html = web.at('one', '/html');
  const [link, script] = await look(
    `${html}#b`,
    `${html}#old`,
    `${html}#gone`,
    `${html}#:~:text=words`,
    `${html}#L10`,
    `${web.at('one', '/script')}#anything`,
  );
  expect(link).toMatchObject({ state: 'ok', fragments: { b: true, old: true, gone: false } });
  expect(script).toMatchObject({ state: 'ok', fragments: {} });
  const findings = await listExternalFindings(database.store.db, `binding${bindings}`);
  expect(findings).toMatchObject([{ url: html, missing: ['gone'] }]);
});

test('a host that requests a pause gets it, and that is no failure', async () => {
  const host = 'busy';
  let asked = 0;
  const busy = await openStandInWeb((_request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 429 : 200, { 'retry-after': '1' }).end();
  });
  const other = { ...deps, http: busy.http };
  const url = busy.at(host);
  const bindingId = 'busy';
  await database.store.db.transaction((tx) =>
    replaceUses(tx, bindingId, [{ bindingId, url, fragment: '', path: 'a.md', line: 1 }]),
  );
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await expect(checkExternalLink(other, firstStep(url, 'o'), signal)).rejects.toMatchObject({
    name: 'PauseRequested',
    until: new Date(now.getTime() + 1000),
  });
  await checkExternalLink(other, firstStep(url, 'o'), signal);
  expect((await loadExternalLink(database.store.db, url))?.link).toMatchObject({ state: 'ok', failures: 0 });
  await busy.close();
});

const good: ProbeFinding = { kind: 'good', status: 200, movedTo: null, fragments: {} };
const bad: ProbeFinding = { kind: 'bad', status: 404, reason: 'It answers 404.' };
const restricted: ProbeFinding = { kind: 'restricted', status: 403 };

test.each<[string, readonly (readonly [hours: number, finding: ProbeFinding])[], string]>([
  ['one bad answer', [[0, bad]], 'failing'],
  [
    'many within a day',
    [
      [0, bad],
      [1, bad],
      [2, bad],
      [23, bad],
    ],
    'failing',
  ],
  [
    'two over a week',
    [
      [0, bad],
      [168, bad],
    ],
    'failing',
  ],
  [
    'three over three days',
    [
      [0, bad],
      [36, bad],
      [72, bad],
    ],
    'dead',
  ],
  [
    'two over a week, one of them repeated',
    [
      [0, bad],
      [0.1, bad],
      [168, bad],
    ],
    'failing',
  ],
  [
    'a success in between',
    [
      [0, bad],
      [36, bad],
      [48, good],
      [72, bad],
      [96, bad],
    ],
    'failing',
  ],
  [
    'a door that closed',
    [
      [0, bad],
      [36, bad],
      [72, restricted],
    ],
    'restricted',
  ],
  [
    'back from the dead',
    [
      [0, bad],
      [36, bad],
      [72, bad],
      [80, good],
    ],
    'ok',
  ],
  [
    'dead stays dead',
    [
      [0, bad],
      [36, bad],
      [72, bad],
      [500, bad],
    ],
    'dead',
  ],
])('%s', (_name, answers, state) => {
  const begin = new Date('2026-01-01T00:00:00Z').getTime();
  const at = (hours: number) => new Date(begin + hours * 3_600_000);
  let link: ExternalLink = {
    url: 'https://example.com/',
    state: 'new',
    detail: null,
    status: null,
    target: null,
    since: at(0),
    checkedAt: null,
    failures: 0,
    failedSince: null,
    fragments: {},
  };
  const states: [string, number][] = [];
  for (const [hours, finding] of answers) {
    link = updateLinkState(link, finding, at(hours));
    states.push([link.state, hours]);
  }
  expect(link.state).toBe(state);
  // `since` is the moment of the answer that changed the state.
  const changed = states.findLast(([one], index) => states[index - 1]?.[0] !== one)?.[1] ?? 0;
  expect(link.since).toEqual(at(changed));
});

test('a failing address is probed again later, a working one is not', async () => {
  const url = web.at('down');
  await look(url, web.at('fine'));
  const { rows } = await database.store.pool.query(
    `select payload->>'url' as url, start_after > now() + interval '11 hours' as later from jobs
     where name = $1 and state = 'waiting' and payload->>'url' = any($2)`,
    [linkJob.name, [url, web.at('fine')]],
  );
  expect(rows).toEqual([{ url, later: true }]);
});

test('no host gets more than one request a second, and all are probed in parallel', async () => {
  const hosts = ['slow-a', 'slow-b', 'slow-c'];
  const bindingId = 'rates';
  const uses = hosts.flatMap((host) =>
    [1, 2].map((n) => ({
      bindingId,
      url: web.at(host, `/status/200?${n}`),
      fragment: '',
      path: 'a.md',
      line: n,
    })),
  );
  await database.store.db.transaction((tx) => replaceUses(tx, bindingId, uses));
  const first = web.visits.length;
  await database.store.db.transaction(async (tx) => {
    for (const { url } of uses) await queue.enqueue(tx, linkJob, firstStep(url, 'o'));
  });
  await vi.waitFor(() => expect(web.visits.length).toBe(first + uses.length), patient);
  for (const host of hosts) {
    const [one, two] = web.visits.slice(first).filter((visit) => visit.host === `${host}.test`);
    expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  }
  const starts = web.visits.slice(first, first + hosts.length).map(({ host }) => host);
  expect(new Set(starts).size).toBe(hosts.length);
});

test('work in the background is listed for people, with what failed and why', async () => {
  const { db } = database.store;
  await queue.setRateLimit('host:<busy>.test', { concurrency: 2, rates: [{ count: 1, ms: 1_000 }] });
  await queue.pauseRateLimit('host:<busy>.test', new Date(Date.now() + 3_600_000));
  await queue.schedule(gatherJob, { key: '7', cron: '0 3 * * 1', timeZone: 'UTC' }, { repositoryId: 7 });
  await queue.work(gatherJob, async () => {
    throw new PermanentFailure('The platform said <no>.');
  });
  await queue.enqueue(db, gatherJob, { repositoryId: 8 });
  await vi.waitFor(async () => expect(await queue.failed()).toHaveLength(1), patient);
  const work = await listWork(db, queue);
  expect(work.queues).toContainEqual({ name: gatherJob.name, waiting: 0, running: 0, failed: 1 });
  expect(work.rateLimits).toContainEqual(
    expect.objectContaining({ key: 'host:<busy>.test', concurrency: 2, waiting: 0, running: 0 }),
  );
  expect(work.schedules).toMatchObject([{ name: gatherJob.name, about: 'repository 7', cron: '0 3 * * 1' }]);
  expect(work.failed).toMatchObject([
    { name: gatherJob.name, about: 'repository 8', attempts: 1, error: 'The platform said <no>.' },
  ]);
  const { text } = renderWork(work, new Date());
  expect(text).toContain('host:&#60;busy&#62;.test</code></th><td>2 at once, 1 a second<br>');
  expect(text).toContain('Paused</span> continues <time');
  expect(text).toContain('The platform said &#60;no&#62;.');
  expect(text).toContain(`action="/status/jobs/${work.failed[0]?.id}/retry"`);
  await queue.unschedule(gatherJob, '7');
});

test('addresses without links to them are deleted, and so are uses of deleted bindings', async () => {
  const { db, pool } = database.store;
  await db.transaction((tx) =>
    replaceUses(tx, 'gone', [
      { bindingId: 'gone', url: 'https://gone.example/', fragment: '', path: 'a.md', line: 1 },
    ]),
  );
  expect(await deleteUnusedExternalLinks(db, AbortSignal.timeout(PATIENCE_MS))).toBeGreaterThan(0);
  const { rows } = await pool.query('select 1 from external_links union all select 1 from external_uses');
  expect(rows).toEqual([]);
});
