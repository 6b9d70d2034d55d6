import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { AnyOperation } from '../../contract/index.ts';
import { newId } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { refuseManyValues } from './refuse-many-values.ts';

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

/** Echoes the caller's `x-request-id` if it is plain and short, or generates an id; every log line of the request has it. */
export function nameRequests(api: FastifyInstance): void {
  api.decorateRequest('platformRequestId', '');
  api.addHook('onRequest', async (request, reply) => {
    const id = requestIdOf(request.headers);
    request.platformRequestId = id;
    request.log = request.log.child({ requestId: id });
    reply.header('x-request-id', id);
  });
}

/** The caller's `x-request-id` if it is plain and short, or a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && /^[\w.:-]{1,100}$/.test(sent) ? sent : newId();
}

/** No browser may take an answer, whose texts users wrote, for anything but what its content type says. */
export function forbidSniffing(api: FastifyInstance): void {
  api.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
}

/**
 * Accepts only JSON bodies, with these media types. An empty body counts as none, since many clients send a content type
 * without a body.
 */
export function readJson(api: FastifyInstance, mediaTypes: string[] = ['application/json']): void {
  api.removeAllContentTypeParsers();
  const parse = api.getDefaultJsonParser('error', 'error');
  api.addContentTypeParser(mediaTypes, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      refuseManyValues(body as string);
    } catch (error) {
      return done(error as Error);
    }
    parse(request, body as string, done);
  });
}
