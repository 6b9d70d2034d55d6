import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import type { RequestOrigin } from '../store/index.ts';

/** What is known of the request that the current work is for. */
export interface CurrentRequest {
  readonly requestId: string;
  /** The network address that sent it. */
  readonly address: string;
  readonly userAgent: string | null;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

/** Makes each request known to everything that runs because of it. */
export function trackRequests(fastify: FastifyInstance): void {
  fastify.decorateRequest('current', null);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const current: CurrentRequest = {
      requestId: request.id.slice(0, 100),
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    };
    request.current = current;
    requests.run(current, done);
  });
  // What follows a body runs because of the socket's event, not of the first hook.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.current === null) done();
    else requests.run(request.current, done);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    current: CurrentRequest | null;
  }
}

/** Where the current request comes from, for the audit log. */
export function currentOrigin(): RequestOrigin {
  return currentRequest() ?? { address: null, userAgent: null, requestId: null };
}

/** The current request; undefined outside of one. */
export function currentRequest(): CurrentRequest | undefined {
  return requests.getStore();
}
