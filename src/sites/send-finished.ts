import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import { isIndexed, robotsHeaders } from './content/search-engines.ts';
import { ENCODINGS, type Encoding, type FinishedAnswer } from './finished-answer.ts';
import type { RecentAnswer } from './recent-answers.ts';
import { cachingOf, type SiteRequest } from './site-request.ts';

const encodings = new Negotiator({ supportedValues: [...ENCODINGS], cache: new LRUCache({ max: 1_000 }) });

/** Sends a finished answer; returns true, as a surface. What all readers share is repeated to the next of them. */
export function sendFinished(site: SiteRequest, answer: FinishedAnswer, caching?: string): boolean {
  const recent = {
    answer,
    caching: caching ?? cachingOf(site),
    headers: robotsHeaders(isIndexed(site.served.site)),
  };
  if (site.isForEverybody && caching === undefined) site.recent.keep(site.served, site.request, recent);
  sendAnswer(site, recent);
  return true;
}

/** Sends an answer in the encoding that the client likes best, or 304 to one that has it. */
export function sendAnswer(
  { request, reply }: Pick<SiteRequest, 'request' | 'reply'>,
  { answer, caching, headers }: RecentAnswer,
): void {
  reply.headers({
    ...headers,
    ...answer.headers,
    etag: answer.etag,
    vary: 'accept, accept-encoding',
    'cache-control': caching,
  });
  if (answer.status === 200 && request.headers['if-none-match'] === answer.etag) {
    reply.code(304).send();
    return;
  }
  const accepted = request.headers['accept-encoding'];
  const encoding = ((accepted && encodings.negotiate(accepted)) || 'identity') as Encoding;
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.code(answer.status).type(answer.contentType).send(answer.bytes[encoding]);
}
