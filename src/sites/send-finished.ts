import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import { ENCODINGS, type Encoding, type FinishedAnswer } from './finished-answer.ts';
import { cachingOf, type SiteRequest } from './site-request.ts';

const encodings = new Negotiator({ supportedValues: [...ENCODINGS], cache: new LRUCache({ max: 1_000 }) });

/** Sends a finished answer in the encoding that the client likes best, or 304 to one that has it; returns true, as a surface. */
export function sendFinished(site: SiteRequest, answer: FinishedAnswer, caching = cachingOf(site)): boolean {
  const { request, reply } = site;
  reply.headers({
    ...answer.headers,
    etag: answer.etag,
    vary: 'accept, accept-encoding',
    'cache-control': caching,
  });
  if (request.headers['if-none-match'] === answer.etag) {
    reply.code(304).send();
    return true;
  }
  const accepted = request.headers['accept-encoding'];
  const encoding = ((accepted && encodings.negotiate(accepted)) || 'identity') as Encoding;
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.code(answer.status).type(answer.contentType).send(answer.bytes[encoding]);
  return true;
}
