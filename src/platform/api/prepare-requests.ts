import type { FastifyInstance } from 'fastify';
import { newId } from '../../store/index.ts';

/** Echoes the caller's `x-request-id` where it is plain and short, or generates an id; every log line of the request has it. */
export function nameRequests(api: FastifyInstance): void {
  api.decorateRequest('platformRequestId', '');
  api.addHook('onRequest', async (request, reply) => {
    const sent = request.headers['x-request-id'];
    const id = typeof sent === 'string' && /^[\w.:-]{1,100}$/.test(sent) ? sent : newId();
    request.platformRequestId = id;
    request.log = request.log.child({ requestId: id });
    reply.header('x-request-id', id);
  });
}

/** Accepts JSON bodies only. An empty body counts as none, since many clients name a type without sending a body. */
export function readJson(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  const parse = api.getDefaultJsonParser('error', 'error');
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}
