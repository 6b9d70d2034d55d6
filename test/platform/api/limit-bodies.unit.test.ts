import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { handleErrors } from '../../../src/platform/api/handle-errors.ts';
import { limitBodies } from '../../../src/platform/api/limit-bodies.ts';

test('bodies share a limit, from their announced length until the answer', async () => {
  const app = fastify({ bodyLimit: 900 });
  const nothing = () => undefined;
  handleErrors(app, { log: { info: nothing, warn: nothing, error: nothing } });
  limitBodies(app, 1_000);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  app.post('/held', async () => {
    arrive();
    await held;
    return {};
  });
  app.post('/', async () => ({}));
  const body = (length: number) => ({ text: 'x'.repeat(length - '{"text":""}'.length) });
  const first = app.inject({ method: 'POST', url: '/held', payload: body(600) });
  await arrived;

  const refused = await app.inject({ method: 'POST', url: '/', payload: body(500) });
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('5');
  expect(refused.json().error.reason).toBe('unavailable');
  const unannounced = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    payload: Readable.from(['{}']),
  });
  expect(unannounced.statusCode).toBe(503);
  expect((await app.inject({ method: 'POST', url: '/', payload: body(400) })).statusCode).toBe(200);

  release();
  expect((await first).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/', payload: body(800) })).statusCode).toBe(200);
  await app.close();
});
