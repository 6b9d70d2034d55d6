import type { FastifyInstance } from 'fastify';

/** Closes the connection after a response that did not wait for the body, which would otherwise be received to its end. */
export function closeUnreadRequests(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
    if (hasBody && !raw.complete) reply.header('connection', 'close');
    done(null, payload);
  });
}
