import type { FastifyInstance } from 'fastify';
import type { ErrorBody } from '../contract/index.ts';
import { PROBES } from './health.ts';
import { isOwnCall } from './is-own-call.ts';

/** In the form of the API, whose routes serialize it. */
const REFUSAL: ErrorBody = {
  error: {
    code: 404,
    reason: 'not-found',
    message: 'This process is a worker, which answers probes and metrics only: ask one with the role web.',
  },
};

/**
 * Lets a worker answer probes and metrics, and its own jobs, which call the API of the platform in the same process. All
 * else is for the processes of the role web: a balancer that leads people here is set up wrong.
 */
export function serveOwnCalls(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const [path = ''] = (request.raw.url ?? '').split('?', 1);
    if (PROBES.has(path) || path === '/metrics') return;
    if (isOwnCall(request) && path.startsWith('/v1/')) return;
    return reply.code(404).send(REFUSAL);
  });
}
