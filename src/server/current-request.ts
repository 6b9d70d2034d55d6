import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';

const requests = new AsyncLocalStorage<string>();

/** Lets everything that a request leads to know its id. */
export function trackRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    requests.run(request.id.slice(0, 100), done);
  });
}

/** The id of the request that is being answered, where there is one. */
export function currentRequest(): string | undefined {
  return requests.getStore();
}
