import type { FastifyInstance } from 'fastify';
import { newId } from '../../store/index.ts';

/** Echoes the caller's `x-request-id`, where it is plain and short, or makes one; it is in every log line of the request. */
export function nameRequests(api: FastifyInstance): void {
  api.decorateRequest('platformRequestId', '');
  api.addHook('onRequest', async (request, reply) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : newId();
    request.platformRequestId = id;
    request.log = request.log.child({ requestId: id });
    reply.header('x-request-id', id);
  });
}
