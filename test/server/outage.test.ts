/** What is answered and logged while the database of a running server is stopped. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken } from '../../src/platform/index.ts';
import { openStore } from '../../src/store/index.ts';
import { startPasswordServer } from '../store/password-server.ts';
import { type Served, startServe } from './start-serve.ts';

const SECRET = 'what the caller searched for';

let database: Awaited<ReturnType<typeof startPasswordServer>>;
let served: Served;
let token: string;

beforeAll(async () => {
  database = await startPasswordServer('password');
  const databaseUrl = `postgresql://docs:password@127.0.0.1:${database.port}/docs`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  served = await startServe({
    DATABASE_URL: databaseUrl,
    APP_ID: '1',
    PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    WEBHOOK_SECRET: 'hook',
    GHE_HOST: '127.0.0.1:1',
    GHE_PROTOCOL: 'http',
  });
  const store = await openStore({ dataDir: served.folder, databaseUrl });
  ({ token } = await createToken(store.db, { name: 'me', role: 'admin' }));
  await store.close();
  await database.close();
});
afterAll(() => served?.close());

const body = JSON.stringify({ zen: SECRET });
const signature = `sha256=${createHmac('sha256', 'hook').update(body).digest('hex')}`;
const bearer = () => ({ authorization: `Bearer ${token}` });

test.each<[string, string, () => RequestInit]>([
  ['the API', '/v1/user', () => ({ headers: bearer() })],
  [
    'a delivery',
    '/api/github/webhooks',
    () => ({
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': 'one',
        'x-hub-signature-256': signature,
      },
    }),
  ],
  ['a report', '/reports/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', () => ({})],
  ['the metrics', '/metrics', () => ({})],
])('%s answers 503 with Retry-After', async (_name, path, init) => {
  const response = await fetch(`${served.url}${path}`, init());
  expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
  const text = await response.text();
  expect(text).toContain('database');
  expect(text).not.toMatch(/select|insert|127\.0\.0\.1|password/i);
});

test('readiness and health say so, and no parameter of a query is in the log', async () => {
  for (const path of ['/readyz', '/healthz']) expect((await fetch(`${served.url}${path}`)).status).toBe(503);
  const log = JSON.stringify(served.log);
  expect(log).toContain('Failed query');
  expect(log).not.toContain('params:');
  expect(log).not.toContain(SECRET);
});
