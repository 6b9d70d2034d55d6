import type { FastifyInstance } from 'fastify';
import type { PlatformLog } from '../deps.ts';
import { ApiError, notFound, sentenceFor } from './api-error.ts';
import { NotModified } from './handlers.ts';

/** Gives every failure the API's error body. What nobody foresaw is logged in full and told without internals. */
export function handleErrors(api: FastifyInstance, log: PlatformLog): void {
  api.setErrorHandler(async (error, request, reply) => {
    if (error instanceof NotModified) return await reply.code(304).send();
    const known = toApiError(error);
    if (known) {
      if (known.status === 401) reply.header('www-authenticate', 'Bearer');
      return await reply.code(known.status).type('application/json').send(known.toBody());
    }
    log.error(
      { err: error, requestId: request.platformRequestId, route: request.routeOptions.url },
      'request failed',
    );
    const message = `The server met a fault of its own; its log tells more under ${request.platformRequestId}.`;
    return await reply.code(500).send(new ApiError(500, message).toBody());
  });

  api.setNotFoundHandler(async (_request, reply) => {
    const error = notFound('operation with this method and path');
    return await reply.code(404).send(error.toBody());
  });
}

/** Null for a fault of our own. The framework's own refusals (size, type, malformed JSON) have a status from 400 to 499. */
function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null;
  // The parser's own errors have no code; a refused `__proto__` has the first of these.
  if (statusCode === 400 && (typeof code !== 'string' || code === 'FST_ERR_CTP_INVALID_JSON_BODY')) {
    return new ApiError(400, 'The body is not valid JSON.', [
      { path: '/body', message: 'is not valid JSON' },
    ]);
  }
  return new ApiError(statusCode, sentenceFor(statusCode));
}
