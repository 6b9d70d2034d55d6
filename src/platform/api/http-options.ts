import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorReason } from '../../contract/index.ts';
import { ApiError } from './api-error.ts';
import { requestIdOf } from './prepare-requests.ts';

/**
 * What the HTTP server needs so that the API answers as documented where no route is reached: a trailing slash is the
 * same path, and a malformed address or request has the error body of everything else.
 */
export const httpOptions = {
  // The whole path of a page is one parameter.
  routerOptions: { maxParamLength: 4_000, ignoreTrailingSlash: true },
  frameworkErrors(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const error = new ApiError(
      'malformed-request',
      'The address is malformed: a percent sign must be followed by two hexadecimal digits, and parts be at most 4,000 characters long.',
    );
    void reply
      .header('x-request-id', requestIdOf(request.headers))
      .header('x-content-type-options', 'nosniff')
      .code(error.status)
      .type('application/json; charset=utf-8')
      .send(error.toBody());
  },
  clientErrorHandler(failure: NodeJS.ErrnoException, socket: Socket): void {
    if (failure.code === 'ECONNRESET' || socket.destroyed) return;
    const [reason, message] = explain(failure.code);
    const error = new ApiError(reason, message);
    const body = JSON.stringify(error.toBody());
    if (socket.writable) {
      socket.write(
        [
          `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
          `Content-Length: ${Buffer.byteLength(body)}`,
          'Content-Type: application/json; charset=utf-8',
          'X-Content-Type-Options: nosniff',
          'Connection: close',
          '',
          body,
        ].join('\r\n'),
      );
    }
    socket.destroySoon();
  },
};

function explain(code: string | undefined): [reason: ErrorReason, message: string] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return ['request-timeout', 'The request did not arrive in time; send it again.'];
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return ['headers-too-large', 'The headers or the address of the request are too long.'];
  }
  return ['malformed-request', 'The request is not valid HTTP.'];
}
