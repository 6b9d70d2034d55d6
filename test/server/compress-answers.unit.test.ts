import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressAnswers } from '../../src/server/compress-answers.ts';

const text = 'The same words again. '.repeat(200);

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await compressAnswers(app);
  const send =
    (words: string) => async (_request: unknown, reply: { header(name: string, value: string): unknown }) => {
      reply.header('etag', '"v1"');
      return { words };
    };
  app.get('/long', send(text));
  app.get('/short', send('Hello.'));
  app.get('/secret', { compress: false }, send(text));
  app.post('/echo', async ({ body }) => ({ body }));
});
afterAll(() => app.close());

const get = (url: string, accepted?: string) =>
  app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

test('an answer has the best encoding that the caller accepts', async () => {
  const [br, gzip] = [await get('/long', 'gzip, deflate, br, zstd'), await get('/long', 'gzip')];
  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(JSON.parse(brotliDecompressSync(br.rawPayload).toString())).toEqual({ words: text });
  expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual({ words: text });
  expect(br.headers['vary']).toBe('accept-encoding');
  expect((await get('/long')).json()).toEqual({ words: text });
});

test('what is small, and what a route says must not be, is not compressed', async () => {
  for (const path of ['/short', '/secret'])
    expect((await get(path, 'br')).headers).not.toHaveProperty('content-encoding');
});

test('the tag of compressed bytes is weak, because a strong one names the others', async () => {
  const tags = [await get('/long', 'br'), await get('/long'), await get('/short', 'br')];
  expect(tags.map(({ headers }) => headers['etag'])).toEqual(['W/"v1"', '"v1"', '"v1"']);
});

test('a body that is said to be compressed is not expanded', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/echo',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(JSON.stringify({ words: text })),
  });
  expect(answer.statusCode).toBe(400);
});
