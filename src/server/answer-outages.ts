import type { FastifyError, FastifyInstance } from 'fastify';
import { findOutage } from '../store/index.ts';

/** Answers failures of routes that have no error handler of their own, such as the metrics. */
export function answerOutages(fastify: FastifyInstance): void {
  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: { code: status, message: error.message } });
    request.log.error({ err: error }, 'request failed');
    const outage = findOutage(error);
    if (outage !== null) {
      reply.header('retry-after', '5');
      return reply.code(503).send({ error: { code: 503, message: outage.message } });
    }
    const message = `An internal error occurred; the server’s log says more under ${request.id}.`;
    return reply.code(500).send({ error: { code: 500, message } });
  });
}
