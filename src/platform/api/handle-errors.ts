import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type AnyOperation, isNothing } from '../../contract/index.ts';
import { findOutage } from '../../store/index.ts';
import { PageNotRead } from '../../threads/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { allowedMethods } from './allowed-methods.ts';
import { ApiError, invalid, notFound } from './api-error.ts';
import { NotModified } from './handler.ts';

/** After which clients try again, when the server cannot answer for now. */
const RETRY_SECONDS = 5;

/**
 * Answers every failure with the API's error body. Unexpected errors are logged in full and answered without internals.
 * With `refuseUndeclaredErrors`, so are errors that the operation does not declare; without it they are logged and
 * answered as they are.
 */
export function handleErrors(
  api: FastifyInstance,
  { log, refuseUndeclaredErrors = false }: Pick<PlatformDeps, 'log' | 'refuseUndeclaredErrors'>,
): void {
  api.setErrorHandler(async (error, request, reply) => {
    if (error instanceof NotModified) return await reply.code(304).send();
    const { operation } = request.routeOptions.config;
    const fields = { err: error, requestId: request.platformRequestId, route: request.routeOptions.url };
    const known = toApiError(error, operation);
    const isDeclared = !known || !operation || operation.errors.includes(known.reason);
    if (!isDeclared) log.error(fields, `${operation.id} does not declare the error ${known.reason}`);
    if (known && (isDeclared || !refuseUndeclaredErrors)) {
      if (known.status === 401) reply.header('www-authenticate', 'Bearer');
      if (known.status === 503) reply.header('retry-after', RETRY_SECONDS);
      return await reply.code(known.status).type('application/json').send(known.toBody());
    }
    log.error(fields, 'request failed');
    const outage = findOutage(error);
    if (outage !== null) {
      reply.header('retry-after', RETRY_SECONDS);
      return await reply.code(503).send(new ApiError('unavailable', outage.message).toBody());
    }
    const message = `The server had an internal error; its log has more under ${request.platformRequestId}.`;
    return await reply.code(500).send(new ApiError('internal-error', message).toBody());
  });

  api.setNotFoundHandler(async (request, reply) => {
    const path = request.url.replace(/\?.*$/s, '').slice(api.prefix.length);
    const methods = allowedMethods(path);
    const error =
      methods.length === 0
        ? notFound('operation with this method and path')
        : new ApiError(
            'method-not-allowed',
            `This path has no operation with the method ${request.method}; it has ${methods.join(', ')}.`,
          );
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    return await reply.code(error.status).send(error.toBody());
  });
}

/** Null for an internal error. The framework's own errors (size, type, malformed JSON) have a status from 400 to 499. */
function toApiError(error: unknown, operation: AnyOperation | undefined): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof PageNotRead) return new ApiError('unavailable', error.message);
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null;
  // The parser's own errors have no code; a rejected `__proto__` has this one.
  const isMalformed =
    statusCode === 400 && (typeof code !== 'string' || code === 'FST_ERR_CTP_INVALID_JSON_BODY');
  if ((isMalformed || statusCode === 413 || statusCode === 415) && operation && isNothing(operation.body)) {
    return invalid('/body', 'must be left out: this operation accepts no body');
  }
  if (isMalformed) {
    return new ApiError('malformed-json', 'The body is not valid JSON.', [
      { path: '/body', message: 'is not valid JSON' },
    ]);
  }
  if (statusCode === 413) return new ApiError('body-too-large', 'The body is larger than this API accepts.');
  if (statusCode === 415) {
    return new ApiError('not-json', 'The body must be JSON: send it with Content-Type: application/json.');
  }
  return new ApiError(
    'invalid-request',
    `The request was rejected: ${STATUS_CODES[statusCode] ?? statusCode}.`,
  );
}
