import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closes connections without a request when the server stops: those on which nothing was sent, as browsers and balancers
 * open ahead, at once, and those with a request after its answer. Node and Fastify close only the ones that are idle at that
 * moment, and wait for the others until their times are over, which is a minute and more.
 */
export function closeUnusedConnections(fastify: FastifyInstance): void {
  const open = new Set<Socket>();
  let isStopping = false;
  fastify.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  fastify.addHook('preClose', async () => {
    isStopping = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
  // Of answers that had begun before.
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (isStopping) request.raw.socket.end();
    done();
  });
}
