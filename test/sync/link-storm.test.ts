/**
 * Many addresses of many hosts with every way to fail, over simulated days. Small by default;
 * `DOCLOOM_STORM=1 vitest run test/sync/link-storm.test.ts` asks 2,000 (a larger number is how many).
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openQueue, type Queue } from '../../src/queue/index.ts';
import {
  countExternal,
  type ExternalUse,
  listExternalFindings,
  replaceUses,
} from '../../src/store/external-links.ts';
import { checkExternalLink, firstStep, type LinkDeps } from '../../src/sync/external-links/check-link.ts';
import { linkJob } from '../../src/sync/external-links/link-job.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openStandInWeb, type StandInWeb } from './stand-in-web.ts';

/** How each class stands after the looks of day 0, 1.5 and 3. */
const CLASSES: Readonly<Record<string, 'ok' | 'redirected' | 'restricted' | 'failing' | 'dead'>> = {
  fine: 'ok',
  'no-head': 'ok',
  found: 'ok',
  moved: 'redirected',
  forbidden: 'restricted',
  throttled: 'restricted',
  private: 'restricted',
  'to-private': 'restricted',
  gone: 'dead',
  fault: 'dead',
  'moved-away': 'dead',
  loop: 'dead',
  'to-file': 'dead',
  silent: 'dead',
  cut: 'dead',
  recovering: 'ok',
  'now-and-then': 'failing',
};

/** This machine and networks that nobody outside may look into, as attackers spell them; `port` is the stand-in's own. */
const PRIVATE: readonly ((port: string) => string)[] = [
  (port) => `http://127.0.0.1:${port}`,
  (port) => `http://2130706433:${port}`,
  (port) => `http://0x7f.1:${port}`,
  (port) => `http://0177.0.0.1:${port}`,
  (port) => `http://localhost:${port}`,
  (port) => `http://0.0.0.0:${port}`,
  (port) => `http://[::1]:${port}`,
  (port) => `http://[::ffff:127.0.0.1]:${port}`,
  (port) => `http://[64:ff9b::7f00:1]:${port}`,
  // Names whose addresses are private, and private and public at once.
  (port) => `http://inside.rebinds:${port}`,
  (port) => `http://both.rebinds:${port}`,
  () => 'http://169.254.169.254',
  () => 'http://10.1.2.3',
  () => 'http://[fd00::1]',
];
const DAYS = [0, 1.5, 3];
const BINDING = 'storm';

const wish = Number(process.env['DOCLOOM_STORM'] ?? 0);
const isStorm = wish > 0;
/** A loop takes eleven requests, one a second: too long for every day. */
const kinds = Object.keys(CLASSES).filter((kind) => isStorm || kind !== 'loop');
const addresses = isStorm ? (wish === 1 ? 2_000 : wish) : kinds.length;
/** Odd, so that each host has addresses of every class. */
const hosts = isStorm ? Math.ceil(addresses / 20) | 1 : addresses;
/** A host has 20 addresses of up to 2 requests, some with redirects to it, and is asked once a second. */
const patience = { timeout: isStorm ? 900_000 : PATIENCE_MS, interval: 50 };

let database: TestDatabase;
let queue: Queue;
let web: StandInWeb;
let day = 0;
const portOf = () => new URL(web.at('any')).port;
const privatePlace = (n: number) => (PRIVATE[n % PRIVATE.length] as (port: string) => string)(portOf());
const now = () => new Date(Date.UTC(2026, 2, 1) + day * 86_400_000);

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database.store);
  web = await openStandInWeb((request, response, host) => {
    const send = (status: number, headers: Record<string, string> = {}) =>
      void response.writeHead(status, headers).end();
    const [, kind = '', n] = (request.url ?? '').split('/');
    const answers: Readonly<Record<string, () => void>> = {
      fine: () => send(200),
      'no-head': () => send(request.method === 'HEAD' ? 405 : 200),
      found: () => send(302, { location: '/fine/found' }),
      moved: () => send(301, { location: '/fine/moved' }),
      forbidden: () => send(403),
      throttled: () => send(429),
      'to-private': () => send(302, { location: `${privatePlace(Number(n))}/to-private/${n}` }),
      gone: () => send(404),
      fault: () => send(500),
      'moved-away': () => send(308, { location: web.at(host.replace('.test', ''), '/gone/moved-away') }),
      loop: () => send(301, { location: request.url ?? '' }),
      'to-file': () => send(302, { location: 'file:///etc/passwd' }),
      silent: () => {},
      cut: () => void request.socket.destroy(),
      recovering: () => send(day === DAYS.at(-1) ? 200 : 503),
      'now-and-then': () => send(day === DAYS[1] ? 200 : 503),
    };
    (answers[kind] as () => void)();
  });
  const deps: LinkDeps = {
    db: database.store.db,
    queue,
    http: web.http,
    now,
  };
  await queue.work({ ...linkJob, concurrency: 64 }, (payload, { signal }) =>
    checkExternalLink(deps, payload, signal),
  );
});

afterAll(async () => {
  await queue.stop();
  await web.close();
  await database.close();
});

describeAtLength('many addresses of many hosts', isStorm, () => {
  test(
    'every address gets its verdict over days, and no host gets more than one request a second',
    async () => {
      const { db, pool } = database.store;
      const uses = Array.from({ length: addresses }, (_, n): ExternalUse => {
        const kind = kinds[n % kinds.length];
        // Each kind goes through all places.
        const round = Math.floor(n / kinds.length);
        const path = `/${kind}/${kind === 'to-private' ? round : n}`;
        const url =
          kind === 'private' ? new URL(path, privatePlace(round)).href : web.at(`host-${n % hosts}`, path);
        return { bindingId: BINDING, url, fragment: '', path: 'a.md', line: n + 1 };
      });
      await db.transaction((tx) => replaceUses(tx, BINDING, uses));
      for (day of DAYS) {
        // The time has come for what waits to be asked again.
        await pool.query(`update jobs set start_after = now() where name = $1 and state = 'waiting'`, [
          linkJob.name,
        ]);
        await db.transaction(async (tx) => {
          for (const { url } of uses)
            await queue.enqueue(tx, linkJob, firstStep(url, 'one'), { unlessWaiting: true });
        });
        await vi.waitFor(async () => {
          const { rows } = await pool.query(
            'select count(*)::int as left from external_links where checked_at is distinct from $1',
            [now()],
          );
          expect(rows).toEqual([{ left: 0 }]);
        }, patience);
      }
      const gaps = [...Map.groupBy(web.visits, ({ host }) => host).values()].flatMap((visits) =>
        visits.slice(1).map(({ at }, index) => at - (visits[index]?.at ?? 0)),
      );
      const least = Math.min(...gaps);
      const elapsed = (web.visits.at(-1)?.at ?? 0) - (web.visits[0]?.at ?? 0);
      if (isStorm) {
        console.info(
          `${addresses} addresses of ${hosts} hosts, ${DAYS.length} looks: ${web.visits.length} requests in ${(elapsed / 1000).toFixed(0)} s; the least pause of a host was ${least.toFixed(0)} ms.`,
        );
      }
      const expected = uses.map(({ url }) => CLASSES[new URL(url).pathname.split('/')[1] ?? '']);
      const counted = Map.groupBy(expected, (state) => state);
      expect(Object.fromEntries(await countExternal(db, BINDING))).toEqual(
        Object.fromEntries([...counted].map(([state, some]) => [state, some.length])),
      );
      for (const { url, state } of await listExternalFindings(db, BINDING)) {
        expect([url, state]).toEqual([url, CLASSES[new URL(url).pathname.split('/')[1] ?? '']]);
      }
      expect(least).toBeGreaterThanOrEqual(1_000);
      expect(web.visits.every(({ host }) => host.endsWith('.test'))).toBe(true);
    },
    isStorm ? 3_600_000 : undefined,
  );
});
