import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { count } from 'drizzle-orm';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BodyLimits } from '../../../src/github/webhooks/receive-body.ts';
import { registerWebhookRoute, WEBHOOK_PATH } from '../../../src/github/webhooks/webhook-route.ts';
import { openQueue, type Queue } from '../../../src/queue/index.ts';
import { loadDelivery, recordDeliveryError } from '../../../src/store/deliveries.ts';
import { tables } from '../../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

const SECRETS = ['the current secret', 'the one before'];

let database: TestDatabase;
let queue: Queue;
let server: FastifyInstance;

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database.store);
  server = fastify();
  registerWebhookRoute(server, { secrets: () => SECRETS, db: database.store.db, queue });
  await server.ready();
});

beforeEach(async () => {
  await database.store.db.delete(tables.deliveries);
});

afterAll(async () => {
  await server?.close();
  await queue?.stop();
  await database?.close();
});

const push = {
  ref: 'refs/heads/main',
  after: 'a'.repeat(40),
  deleted: false,
  repository: {
    id: 7,
    name: 'docs',
    full_name: 'acme/docs',
    owner: { login: 'acme' },
    default_branch: 'main',
    pushed_at: 1_700_000_000,
  },
  installation: { id: 3 },
};

const PUSH_HEADERS = {
  'content-type': 'application/json',
  'x-github-event': 'push',
  'x-github-delivery': 'guid-1',
};

interface Sent {
  readonly body?: string | Buffer;
  readonly signature?: string | null;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
}

async function send({
  body = JSON.stringify(push),
  signature,
  secret = SECRETS[0],
  headers = {},
}: Sent = {}) {
  const made = `sha256=${createHmac('sha256', secret ?? '')
    .update(body)
    .digest('hex')}`;
  const answer = await server.inject({
    method: 'POST',
    url: WEBHOOK_PATH,
    headers: {
      ...PUSH_HEADERS,
      ...(signature === null ? {} : { 'x-hub-signature-256': signature ?? made }),
      ...headers,
    },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function storedDeliveries(): Promise<number> {
  const [row] = await database.store.db.select({ stored: count() }).from(tables.deliveries);
  return row?.stored ?? 0;
}

async function waitingJobs(): Promise<number> {
  return (await queue.counts()).find((one) => one.name === 'github.delivery')?.waiting ?? 0;
}

test('a delivery is stored as received, with one job, and answered 202', async () => {
  const before = await waitingJobs();
  expect(await send()).toEqual({ status: 202, body: { id: 'guid-1', state: 'received' } });
  expect(await loadDelivery(database.store.db, 'guid-1')).toMatchObject({
    event: 'push',
    action: null,
    installationId: 3,
    repositoryId: 7,
    repository: 'acme/docs',
    payload: JSON.stringify(push),
    state: 'received',
  });
  expect(await waitingJobs()).toBe(before + 1);
});

test('a redelivery enqueues no second job, unless the work had failed permanently', async () => {
  const before = await waitingJobs();
  await send();
  expect((await send()).status).toBe(202);
  expect(await waitingJobs()).toBe(before + 1);
  await recordDeliveryError(database.store.db, 'guid-1', { error: 'No luck.', final: true });
  expect((await send()).status).toBe(202);
  expect(await waitingJobs()).toBe(before + 2);
  expect(await loadDelivery(database.store.db, 'guid-1')).toMatchObject({ state: 'received', error: null });
});

test('the same delivery at the same moment is handled once', async () => {
  const before = await waitingJobs();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(202));
  expect(await waitingJobs()).toBe(before + 1);
});

test('an older secret is accepted while a rotation lasts', async () => {
  expect((await send({ secret: SECRETS[1] as string })).status).toBe(202);
});

test.each([
  ['an event that nobody listens to', { 'x-github-event': 'star' }, push],
  ['an action that nobody listens to', { 'x-github-event': 'pull_request' }, { ...push, action: 'labeled' }],
  ['a ping', { 'x-github-event': 'ping' }, { zen: 'Keep it logically awesome.', hook_id: 1 }],
])('%s is stored as ignored, without a job', async (_name, headers, payload) => {
  const before = await waitingJobs();
  expect((await send({ headers, body: JSON.stringify(payload) })).status).toBe(202);
  expect(await loadDelivery(database.store.db, 'guid-1')).toMatchObject({ state: 'ignored' });
  expect(await waitingJobs()).toBe(before);
});

test.each([
  ['of another JSON type', { 'content-type': 'application/vnd.github+json; charset=utf-8' }],
  ['that says it is not compressed', { 'content-encoding': 'identity' }],
])('a delivery %s is taken', async (_name, headers) => {
  expect((await send({ headers })).status).toBe(202);
});

test('a delivery in pieces, over a real connection, is accepted', async () => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const text = JSON.stringify(push);
  const pieces = [text.slice(0, 9), text.slice(9)].map((piece) => new TextEncoder().encode(piece));
  const init: RequestInit & { duplex: string } = {
    method: 'POST',
    duplex: 'half',
    body: ReadableStream.from(pieces) as unknown as NonNullable<RequestInit['body']>,
    headers: {
      'x-github-event': 'push',
      'x-github-delivery': 'guid-1',
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRETS[0] as string)
        .update(text)
        .digest('hex')}`,
    },
  };
  const answer = await fetch(`${server.listeningOrigin}${WEBHOOK_PATH}`, init);
  expect(answer.status).toBe(202);
  expect(await loadDelivery(database.store.db, 'guid-1')).toMatchObject({ payload: text });
});

test('a text that the database cannot store is stored as received, and its names without invalid characters', async () => {
  const body = JSON.stringify({
    ...push,
    action: 'no\0thing',
    repository: { ...push.repository, full_name: 'acme/\0docs\ud800' },
    ['__proto__']: { polluted: true },
  });
  expect((await send({ headers: { 'x-github-event': 'watch' }, body })).status).toBe(202);
  expect(await loadDelivery(database.store.db, 'guid-1')).toMatchObject({
    action: 'nothing',
    repository: 'acme/docs\ufffd',
    payload: body,
  });
});

describe('is refused, and nothing is stored:', () => {
  const valid = createHmac('sha256', SECRETS[0] as string)
    .update(JSON.stringify(push))
    .digest('hex');

  test.each<[string, Sent, number]>([
    ['no signature', { signature: null }, 401],
    ['an empty signature', { signature: '' }, 401],
    ['a signature of another secret', { secret: 'guessed' }, 401],
    ['a signature of other bytes', { signature: `sha256=${valid}`, body: `${JSON.stringify(push)} ` }, 401],
    ['a signature in another form', { signature: `sha1=${valid.slice(0, 40)}` }, 401],
    ['a signature in capitals', { signature: `sha256=${valid.toUpperCase()}` }, 401],
    ['no body', { body: '', signature: null }, 401],
    ['a body that is no JSON', { body: 'payload=%7B%7D' }, 400],
    ['a body that is no UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400],
    ['a body that is no object', { body: '[]' }, 400],
    ['no delivery id', { headers: { 'x-github-delivery': '' } }, 400],
    ['a hostile delivery id', { headers: { 'x-github-delivery': "1'; drop table deliveries" } }, 400],
    [
      'a form',
      { body: 'payload=%7B%7D', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 415],
    ['no event', { headers: { 'x-github-event': '' } }, 400],
    ['a body over 25 MB', { body: Buffer.alloc(25 * 1024 * 1024 + 1, 0x20) }, 413],
  ])('%s', async (_name, sent, status) => {
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(status);
    expect(answer.body.error.message).toMatch(/^[^\n]+\.$/);
    expect(await storedDeliveries()).toBe(0);
  });

  const checkRun = { ...push, check_run: { id: 1, head_sha: 'a', pull_requests: [] }, action: 'rerequested' };
  const event = { 'x-github-event': 'check_run' };

  test.each([
    ['half of a surrogate pair', {}, { ...push, ref: 'refs/heads/\ud800' }],
    ['U+0000 in a commit', event, { ...checkRun, check_run: { ...checkRun.check_run, head_sha: 'a\0' } }],
    [
      'a commit without end',
      event,
      { ...checkRun, check_run: { ...checkRun.check_run, head_sha: 'a'.repeat(9_000) } },
    ],
  ])('a signed delivery with %s', async (_name, headers, payload) => {
    const answer = await send({ headers, body: JSON.stringify(payload) });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/^[^\n]+\.$/);
    expect(await storedDeliveries()).toBe(0);
  });

  test.each([
    ['/repository/id', { ...push, repository: { ...push.repository, id: 'seven' } }],
    ['/repository/owner/login', { ...push, repository: { ...push.repository, owner: {} } }],
    ['/repository', { ...push, repository: undefined }],
    ['/ref', { ...push, ref: undefined }],
    ['/installation', { ...push, installation: undefined }],
    ['/ref', { ...push, ref: `refs/heads/${'long/'.repeat(200)}` }],
  ])('a push with a wrong %s', async (path, payload) => {
    const answer = await send({ body: JSON.stringify(payload) });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([{ path, message: expect.stringContaining(path) }]);
    expect(await storedDeliveries()).toBe(0);
  });
});

describe('what senders without the secret can use is limited:', () => {
  const guessed = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };

  async function listen(limits: BodyLimits): Promise<string> {
    const limited = fastify();
    registerWebhookRoute(limited, { secrets: () => SECRETS, db: database.store.db, queue, limits });
    await limited.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => limited.close());
    return limited.listeningOrigin;
  }

  /** Sends the head of a delivery and `sent` bytes of its body, of which more is announced; `answer` is the response's head. */
  function begin(origin: string, headers: Record<string, string>, sent: number) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const { promise: answer, resolve } = Promise.withResolvers<string>();
    let received = '';
    socket
      .on('data', (chunk) => {
        received += String(chunk);
      })
      // What is sent after the response breaks the connection.
      .on('error', () => {})
      .on('close', () => resolve(received));
    socket.write(
      `POST ${WEBHOOK_PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20000000\r\n${lines.join('')}\r\n`,
    );
    socket.write(Buffer.alloc(sent, 0x20));
    return { answer, abandon: () => socket.destroy() };
  }

  /** The status of a signed delivery of at least `size` bytes. */
  async function deliver(origin: string, size = 0): Promise<number> {
    const body = JSON.stringify(push).padEnd(size);
    const signature = `sha256=${createHmac('sha256', SECRETS[0] as string)
      .update(body)
      .digest('hex')}`;
    const headers = { ...PUSH_HEADERS, 'x-hub-signature-256': signature };
    return (await fetch(`${origin}${WEBHOOK_PATH}`, { method: 'POST', body, headers })).status;
  }

  test.each([
    ['without a signature', {}],
    ['with a signature in another form', { 'x-hub-signature-256': 'sha256=00' }],
  ])('%s, the response comes before the body, and the connection is closed', async (_name, headers) => {
    const origin = await listen({ bodies: 2, bytes: 3_000_000, timeoutMs: PATIENCE_MS });
    expect(await begin(origin, headers, 0).answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
  });

  test('a body that does not arrive in time is given up', async () => {
    const origin = await listen({ bodies: 2, bytes: 3_000_000, timeoutMs: 300 });
    expect(await begin(origin, guessed, 10).answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('too many bodies are refused until others are done', async () => {
    const origin = await listen({ bodies: 2, bytes: 3_000_000, timeoutMs: PATIENCE_MS });
    const three = [1, 2, 3].map(() => begin(origin, guessed, 10));
    const first = await Promise.race(three.map((one) => one.answer));
    expect(first).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 10/i);
    expect(await deliver(origin)).toBe(503);
    for (const one of three) one.abandon();
    await expect.poll(() => deliver(origin)).toBe(202);
  });

  test('too many bytes are refused until others are done', async () => {
    const origin = await listen({ bodies: 1_000, bytes: 3_000_000, timeoutMs: PATIENCE_MS });
    const two = [1, 2].map(() => begin(origin, guessed, 2_000_000));
    const first = await Promise.race(two.map((one) => one.answer));
    expect(first).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 10/i);
    expect(await deliver(origin)).toBe(202);
    for (const one of two) one.abandon();
    await expect.poll(() => deliver(origin, 2_900_000)).toBe(202);
  });
});
