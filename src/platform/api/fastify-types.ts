import type { AnyOperation } from '../../contract/index.ts';
import type { Caller } from '../access/caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for every route of the contract. */
    operation?: AnyOperation;
  }
  interface FastifyRequest {
    /** Set for every request below `/v1`. */
    caller: Caller;
    platformRequestId: string;
  }
}
