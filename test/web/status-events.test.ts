/** The status page is told of changes, by one connection to the database for all who look at it. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
const db = () => pages.platform.deps.db;

beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

interface Listening {
  readonly answer: Response;
  readonly heard: () => string;
  readonly isOver: () => boolean;
  stop(): void;
}

async function listen(cookie: string): Promise<Listening> {
  const stop = new AbortController();
  const answer = await fetch(`${pages.url}/status/events`, {
    headers: { cookie, accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
    redirect: 'manual',
    signal: stop.signal,
  });
  let heard = '';
  let isOver = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of answer.body ?? []) heard += decoder.decode(bytes, { stream: true });
  };
  read()
    .catch(() => {})
    .finally(() => (isOver = true));
  return { answer, heard: () => heard, isOver: () => isOver, stop: () => stop.abort() };
}

/** Whatever changes in a table that the page shows. */
const change = () => db().execute(sql`update bindings set updated_at = now() where false`);

const connections = async () => {
  const { rows } = await db().execute<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where application_name = 'docloom status' and datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
};

test('changes are told to all who look, over one connection, through proxies and compression', async () => {
  const cookie = await pages.signIn();
  const [one, two] = await Promise.all([listen(cookie), listen(cookie)]);
  expect(one.answer.status).toBe(200);
  expect(Object.fromEntries(one.answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(one.answer.headers.get('content-encoding')).toBeNull();
  await waitFor(async () => (await connections()) === 1);
  // The connection may not listen yet when it is there.
  await waitFor(async () => {
    await change();
    return [one, two].every(({ heard }) => heard().includes('event: change\ndata:\n\n'));
  });
  expect(await connections()).toBe(1);
  const { rows } = await db().execute<{ pid: number }>(
    sql`select pg_terminate_backend(pid), pid from pg_stat_activity where application_name = 'docloom status' and datname = current_database()`,
  );
  expect(rows).toHaveLength(1);
  const count = () => one.heard().split('event: change').length;
  const before = count();
  // What changed while there was no connection is told afterwards.
  await waitFor(() => count() > before);
  for (const { stop } of [one, two]) stop();
  await waitFor(async () => (await connections()) === 0);
});

test('a stream ends with its session, and tells nothing of what comes after', async () => {
  const cookie = await pages.signIn();
  const stream = await listen(cookie);
  await waitFor(() => stream.heard().includes('retry:'));
  await pages.post('/logout', {}, { cookie });
  await waitFor(async () => {
    await change();
    return stream.isOver();
  });
  expect(stream.heard()).not.toContain('event:');
  expect((await listen(cookie)).answer.status).toBe(303);
  expect((await listen('')).answer.status).toBe(303);
});

test('nobody holds more than a few streams, and the page says where to listen', async () => {
  const cookie = await pages.signIn();
  const streams = await Promise.all(Array.from({ length: 8 }, () => listen(cookie)));
  const refused = streams.filter(({ answer }) => answer.status === 503);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.answer.headers.get('retry-after')).toBe('60');
  for (const { stop } of streams) stop();
  await waitFor(async () => (await connections()) === 0);
  expect((await listen(cookie)).answer.status).toBe(200);
  expect(await (await pages.get('/status', { cookie })).text()).toContain('data-live="/status/events"');
});
