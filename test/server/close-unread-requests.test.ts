import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { closeUnreadRequests } from '../../src/server/close-unread-requests.ts';

test.each([
  ['whose body was not waited for', 'Content-Length: 2000000\r\n\r\n', true],
  ['that announces no length and was not waited for', 'Transfer-Encoding: chunked\r\n\r\n', true],
  ['whose body was received', 'Content-Length: 2\r\n\r\n{}', false],
])('the connection of a request %s is closed: $2', async (_name, rest, isClosed) => {
  const app = fastify();
  closeUnreadRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === undefined) await reply.code(401).send({});
  });
  app.post('/', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const authorization = isClosed ? '' : 'Authorization: me\r\n';
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${authorization}${rest}`);
  const [head] = await once(socket, 'data');
  expect(/^connection: close/im.test(String(head))).toBe(isClosed);
  socket.destroy();
  await app.close();
});
