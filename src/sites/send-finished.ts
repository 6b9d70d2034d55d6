import type { IncomingMessage, ServerResponse } from 'node:http';
import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import { isIndexed, robotsHeaders } from './content/search-engines.ts';
import { bytesIn, ENCODINGS, type Encoding, type FinishedAnswer } from './finished-answer.ts';
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
  recent: RecentAnswer,
): void {
  const form = formFor(request, recent);
  reply.code(form === 'known' ? 304 : recent.answer.status).headers(headersOf(recent, form));
  reply.send(form === 'known' ? undefined : bytesIn(recent.answer, form));
}

/**
 * As {@link sendAnswer}, for one that was sent before: past everything that could still be decided about it, which takes
 * longer than sending it.
 *
 * @param inAll the headers that all answers of this server have
 */
export function repeatAnswer(
  { request, reply }: Pick<SiteRequest, 'request' | 'reply'>,
  recent: RecentAnswer,
  inAll: Readonly<Record<string, string>>,
): void {
  const form = formFor(request, recent);
  const body = form === 'known' ? null : bytesIn(recent.answer, form);
  const lines = linesOf.get(recent) ?? {};
  linesOf.set(recent, lines);
  lines[form] ??= toLines({ ...inAll, ...headersOf(recent, form) }, body);
  reply.hijack();
  write(reply.raw, recent, body, lines[form]);
}

/** As {@link repeatAnswer}, where the answer was repeated in this form before; returns false where not. */
export function repeatAgain(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  recent: RecentAnswer,
): boolean {
  const form = formFor(request, recent);
  const lines = linesOf.get(recent)?.[form];
  if (lines === undefined) return false;
  write(response, recent, form === 'known' ? null : bytesIn(recent.answer, form), lines);
  return true;
}

function write(
  response: ServerResponse,
  { answer }: RecentAnswer,
  body: Buffer | null,
  lines: string[],
): void {
  response.writeHead(body === null ? 304 : answer.status, lines);
  response.end(body);
}

/** In which encoding an answer is sent; `known` for none, because the client has it. */
type Form = Encoding | 'known';

function formFor({ headers }: Pick<IncomingMessage, 'headers'>, { answer }: RecentAnswer): Form {
  if (answer.status === 200 && headers['if-none-match'] === answer.etag) return 'known';
  return encodingFor(headers);
}

/** The encoding that a client likes best. */
export function encodingFor({ 'accept-encoding': accepted }: IncomingMessage['headers']): Encoding {
  return ((accepted && encodings.negotiate(String(accepted))) || 'identity') as Encoding;
}

function headersOf({ answer, caching, headers }: RecentAnswer, form: Form): Readonly<Record<string, string>> {
  return {
    ...headers,
    ...answer.headers,
    etag: answer.etag,
    vary: 'accept, accept-encoding',
    'cache-control': caching,
    ...(form === 'known' ? {} : { 'content-type': answer.contentType }),
    ...(form === 'known' || form === 'identity' ? {} : { 'content-encoding': form }),
  };
}

/** The headers of repeated answers, as Node.js writes them fastest: names and values in turn. */
const linesOf = new WeakMap<RecentAnswer, Partial<Record<Form, string[]>>>();

function toLines(headers: Readonly<Record<string, string>>, body: Buffer | null): string[] {
  const lines = Object.entries(headers).flat();
  return body === null ? lines : [...lines, 'content-length', String(body.length)];
}
