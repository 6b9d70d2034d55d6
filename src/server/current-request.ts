import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';

const requests = new AsyncLocalStorage<string>();

/** Makes the id of each request available to everything that runs because of it. */
export function trackRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    requests.run(request.id.slice(0, 100), done);
  });
}

/** The id of the current request; undefined outside of one. */
export function currentRequest(): string | undefined {
  return requests.getStore();
}
