/** What is answered and logged while the database of a running server is stopped. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken } from '../../src/platform/index.ts';
import { openStore } from '../../src/store/index.ts';
import { startPasswordServer } from '../store/password-server.ts';
import { type Served, startServe } from './start-serve.ts';

const SECRET = 'what the caller searched for';
const KEY = 'a key that both servers of this file have';

let database: Awaited<ReturnType<typeof startPasswordServer>>;
let served: Served;
let withoutApp: Served;
let token: string;

beforeAll(async () => {
  database = await startPasswordServer('password');
  const databaseUrl = `postgresql://docs:password@127.0.0.1:${database.port}/docs`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  served = await startServe({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: KEY,
    APP_ID: '1',
    PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    WEBHOOK_SECRET: 'hook',
    GHE_HOST: '127.0.0.1:1',
    GHE_PROTOCOL: 'http',
  });
  withoutApp = await startServe({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: KEY,
    PUBLIC_URL: 'https://docs.example',
  });
  const store = await openStore({ dataDir: served.folder, databaseUrl });
  ({ token } = await createToken(store.db, { name: 'me', role: 'admin' }));
  await store.close();
  await database.close();
});
afterAll(async () => {
  await withoutApp?.close();
  await served?.close();
});

const body = JSON.stringify({ zen: SECRET });
const signature = `sha256=${createHmac('sha256', 'hook').update(body).digest('hex')}`;
const bearer = () => ({ authorization: `Bearer ${token}` });
const delivery = () => ({
  method: 'POST',
  body,
  headers: {
    'content-type': 'application/json',
    'x-github-event': 'ping',
    'x-github-delivery': 'one',
    'x-hub-signature-256': signature,
  },
});

test.each<[string, string, () => RequestInit]>([
  ['the API', '/v1/user', () => ({ headers: bearer() })],
  ['a delivery', '/api/github/webhooks', delivery],
  ['a report', '/reports/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', () => ({})],
  ['the metrics', '/metrics', () => ({})],
])('%s answers 503 with Retry-After', async (_name, path, init) => {
  const response = await fetch(`${served.url}${path}`, init());
  expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
  const text = await response.text();
  expect(text).toContain('database');
  expect(text).not.toMatch(/select|insert|127\.0\.0\.1|password/i);
});

test('a delivery to a server without an App is told of the outage, not to set one up', async () => {
  const response = await fetch(`${withoutApp.url}/api/github/webhooks`, delivery());
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await response.text()).toMatch(/database of this server does not answer/);
  // Its public address is https, so every answer says so; that of the other one is not.
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect((await fetch(`${served.url}/healthz`)).headers.has('strict-transport-security')).toBe(false);
});

test('readiness and health say so, and no parameter of a query is in the log', async () => {
  for (const path of ['/readyz', '/healthz']) expect((await fetch(`${served.url}${path}`)).status).toBe(503);
  const log = JSON.stringify(served.log);
  expect(log).toContain('Failed query');
  expect(log).not.toContain('params:');
  expect(log).not.toContain(SECRET);
});
