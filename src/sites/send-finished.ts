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
  if (site.isForEverybody && caching === undefined) {
    const { originalUrl: url, headers } = site.request;
    site.recent.keep({ url, headers }, { ...recent, served: site.served });
  }
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
  const heads = headsOf.get(recent) ?? {};
  headsOf.set(recent, heads);
  heads[form] ??= toHead({ ...inAll, ...headersOf(recent, form) }, body);
  reply.hijack();
  writeHead(reply.raw, recent, body, heads[form]);
  reply.raw.end(body);
}

/** As {@link repeatAnswer}, where the answer was repeated in this form before; returns false where not. */
export function repeatAgain(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  recent: RecentAnswer,
): boolean {
  const form = formFor(request, recent);
  const head = headsOf.get(recent)?.[form];
  if (head === undefined) return false;
  const body = form === 'known' ? null : bytesIn(recent.answer, form);
  writeHeadAgain(response, recent, body, head);
  response.end(body);
  return true;
}

/** The head of an answer that is repeated in one form. */
interface Head {
  /** As Node.js writes them fastest: names and values in turn. */
  readonly lines: string[];
  /** As Node.js wrote it, with what it adds, to be sent again; null until then. */
  written: string | null;
  /** The second of its date. */
  writtenIn: number;
}

/** Where Node.js keeps the head of a response until it is sent; it has no documented name. */
type WithHead = ServerResponse & { _header?: string | null };

/**
 * To check and join the same dozen headers again takes Node.js a fifth of the time of the whole answer, so the head that it
 * wrote goes out again for as long as its date is right: where a connection stays open, heads differ in nothing else.
 */
function writeHeadAgain(response: WithHead, recent: RecentAnswer, body: Buffer | null, head: Head): void {
  const { method, httpVersionMinor } = response.req;
  const isUsual =
    body !== null &&
    recent.answer.status === 200 &&
    method === 'GET' &&
    httpVersionMinor === 1 &&
    response.shouldKeepAlive;
  const now = Math.floor(Date.now() / 1000);
  if (isUsual && head.writtenIn === now) response._header = head.written;
  else {
    writeHead(response, recent, body, head);
    if (isUsual && response._header) Object.assign(head, { written: response._header, writtenIn: now });
  }
}

function writeHead(
  response: ServerResponse,
  { answer }: RecentAnswer,
  body: Buffer | null,
  { lines }: Head,
): void {
  response.writeHead(body === null ? 304 : answer.status, lines);
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

const headsOf = new WeakMap<RecentAnswer, Partial<Record<Form, Head>>>();

function toHead(headers: Readonly<Record<string, string>>, body: Buffer | null): Head {
  const lines = Object.entries(headers).flat();
  if (body !== null) lines.push('content-length', String(body.length));
  return { lines, written: null, writtenIn: 0 };
}
