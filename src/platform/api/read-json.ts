import type { FastifyInstance } from 'fastify';

/** Accepts JSON bodies only. An empty one counts as none, since many clients name a type they do not send. */
export function readJson(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  const parse = api.getDefaultJsonParser('error', 'error');
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}
