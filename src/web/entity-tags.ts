import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Gives every page an `ETag`, and answers 304 to a browser that has the page as it is. The tag is made of the page that
 * this reader would get, so it says nothing about pages of others.
 */
export function addEntityTags(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200) return payload;
    if (typeof payload !== 'string' || reply.hasHeader('etag')) return payload;
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', tag);
    if (!namesTag(request.headers['if-none-match'], tag)) return payload;
    reply.code(304);
    return '';
  });
}

/** Whether `If-None-Match` names a tag; weak and strong tags are not distinguished (RFC 9110, section 13.1.2). */
export function namesTag(header: string | undefined, tag: string): boolean {
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return header?.split(',').some((known) => known.trim() === '*' || strong(known) === strong(tag)) === true;
}
