import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** What all bodies of requests under way may use together, in bytes; at least as much as the largest one may have. */
const LIMIT_BYTES = 128 * 1024 * 1024;

/** Answers 503 to requests whose bodies would be too much together with those that are being received and answered. */
export function limitBodies(api: FastifyInstance, limit = LIMIT_BYTES): void {
  let used = 0;
  api.addHook('preParsing', async ({ headers, routeOptions }, reply) => {
    const announced =
      headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
    // More than a route accepts is refused before it is read.
    const bytes = Math.min(announced, routeOptions.bodyLimit ?? limit);
    if (used + bytes > limit)
      throw new ApiError(
        'unavailable',
        'Too many large requests arrive at this moment; try again in a few seconds.',
      );
    used += bytes;
    reply.raw.once('close', () => {
      used -= bytes;
    });
  });
}
