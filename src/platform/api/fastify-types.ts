import type { Caller } from '../access/caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every request below `/v1`. */
    caller: Caller;
    platformRequestId: string;
  }
}
