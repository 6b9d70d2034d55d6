import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { closeUnusedConnections } from '../../src/server/close-unused-connections.ts';

test('a server that stops waits for answers, and not for connections without a request', async () => {
  // Nothing but what is tested ends a connection.
  const never = { keepAliveTimeout: 0, requestTimeout: 0, http: { headersTimeout: 0 } };
  const app = fastify({ ...never, forceCloseConnections: 'idle' });
  closeUnusedConnections(app);
  const begun = Promise.withResolvers<void>();
  const text = Promise.withResolvers<string>();
  const stream = new PassThrough();
  app.get('/', async () => {
    begun.resolve();
    return await text.promise;
  });
  app.get('/stream', async () => stream);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const unused = connect(port, '127.0.0.1');
  await once(unused, 'connect');
  stream.write('a');
  const streamed = await fetch(`${url}/stream`);
  const answer = fetch(url);
  await begun.promise;

  const ended = once(unused, 'close');
  const closed = app.close();
  await ended;
  text.resolve('done');
  stream.end('b');
  expect(await (await answer).text()).toBe('done');
  expect(await streamed.text()).toBe('ab');
  await closed;
});
