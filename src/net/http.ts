import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { type AddressGuard, AddressRefusedError } from './address-guard.ts';
import { FetchError } from './fetch-error.ts';
import { createHttpResponse, describeUrl, type HttpResponse } from './http-response.ts';
import { pinnedConnector } from './pinned-connector.ts';
import { proxyFor } from './proxy.ts';
import { type Hop, nextHop } from './redirect.ts';
import { backoff, parseRetryAfter } from './retry-after.ts';

/** All in milliseconds. */
export interface HttpTimeouts {
  /** To open a connection. Default 10,000. */
  readonly connectMs?: number;
  /** Until the headers of a response have arrived. Default 30,000. */
  readonly headersMs?: number;
  /** Between two parts of a body. Default 30,000. */
  readonly bodyMs?: number;
  /** For the whole call with its redirects, retries and waits. Default 120,000. */
  readonly totalMs?: number;
}

export interface HttpOptions {
  /** Checks every address, also of redirects. Leave it out only for addresses that the operator configured. */
  readonly guard?: AddressGuard;
  readonly userAgent: string;
  readonly timeouts?: HttpTimeouts;
  /** Concurrent connections per origin; further calls wait. Default 32. */
  readonly connections?: number;
  /** A longer `Retry-After` is not waited for: the caller gets the response. In ms, default 20,000. */
  readonly maxRetryAfterMs?: number;
  /** The first wait before a retry, in ms; doubles each time. Default 200. */
  readonly backoffMs?: number;
}

export interface HttpRequest {
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** The largest accepted body, in bytes. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Further tries after the first. Default 2; 0 for none. */
  readonly retries?: number;
  /** The largest number of redirects to follow. Default 0: a 3xx is a response like any other. */
  readonly followRedirects?: number;
}

export interface Http {
  /**
   * Sends one request and reads the whole response, whatever its status. Retries where that is safe: methods that may
   * be repeated after 429, 502, 503, 504 or a broken connection, all others only after 429 and after a 503 with
   * `Retry-After`.
   *
   * @throws FetchError when there is no usable response
   * @throws AddressRefusedError when the guard refuses the address, or that of a redirect
   * @throws the signal's reason when it aborts
   */
  request(url: string | URL, request?: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends one request, once, and hands its body over as it comes, when the status is `expected`: it arrives as fast as it
   * is read, and may be of any size and take any time. Any other response is read as by `request`.
   *
   * @throws as `request`
   */
  stream(
    url: string | URL,
    request: Pick<HttpRequest, 'headers' | 'signal' | 'maxBytes'> & { readonly expected: number },
  ): Promise<{ readonly body: Readable } | { readonly response: HttpResponse }>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** In bytes. */
const USUAL_LIMIT = 16 * 1024 * 1024;

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Outgoing HTTP over undici's connection pools, with limits on size and time. */
export function createHttp(options: HttpOptions): Http {
  const {
    connectMs = 10_000,
    headersMs = 30_000,
    bodyMs = 30_000,
    totalMs = 120_000,
  } = options.timeouts ?? {};
  const maxRetryAfterMs = options.maxRetryAfterMs ?? 20_000;
  const backoffMs = options.backoffMs ?? 200;
  const limits = {
    connections: options.connections ?? 32,
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    allowH2: false,
  };
  const agent = new Agent({
    ...limits,
    connect: options.guard
      ? pinnedConnector(options.guard, connectMs)
      : { timeout: connectMs, allowH2: false },
  });
  const proxies = new Map<string, ProxyAgent>();

  /** The way to an address: a connection of ours, or a proxy of the environment. */
  async function wayTo(url: URL): Promise<Dispatcher> {
    const uri = proxyFor(url);
    if (uri === null) return agent;
    await options.guard?.(url);
    const known = proxies.get(uri);
    if (known !== undefined) return known;
    const timeout = { timeout: connectMs };
    const proxy = new ProxyAgent({ ...limits, uri, proxyTls: timeout, requestTls: timeout });
    proxies.set(uri, proxy);
    return proxy;
  }

  async function request(address: string | URL, request: HttpRequest = {}): Promise<HttpResponse> {
    const deadline = AbortSignal.timeout(totalMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    const first = firstHop(new URL(address), request, options.userAgent);
    try {
      return await withRetries(first, request, signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw toFetchError(error, first.url, deadline.aborted);
    }
  }

  async function withRetries(first: Hop, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const retries = request.retries ?? 2;
    for (let attempt = 0; ; attempt++) {
      const outcome = await sendFollowing(first, request, signal).catch((error: unknown) => ({ error }));
      const wait = attempt < retries && !signal.aborted ? waitBefore(outcome, first.method, attempt) : null;
      if (wait === null) {
        if ('error' in outcome) throw outcome.error;
        return outcome;
      }
      await sleep(wait, undefined, { signal });
    }
  }

  /** Milliseconds until the next try, or null when this outcome is final. */
  function waitBefore(
    outcome: HttpResponse | { error: unknown },
    method: string,
    attempt: number,
  ): number | null {
    if ('error' in outcome) {
      if (!repeatable.has(method) || !isBrokenConnection(outcome.error)) return null;
      return backoff(attempt, backoffMs, maxRetryAfterMs);
    }
    if (!transient.has(outcome.status)) return null;
    const retryAfterMs = parseRetryAfter(outcome.headers.get('retry-after'), Date.now());
    const safe =
      repeatable.has(method) || outcome.status === 429 || (outcome.status === 503 && retryAfterMs !== null);
    if (!safe || (retryAfterMs ?? 0) > maxRetryAfterMs) return null;
    return Math.max(retryAfterMs ?? 0, backoff(attempt, backoffMs, maxRetryAfterMs));
  }

  async function sendFollowing(first: Hop, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const limit = request.followRedirects ?? 0;
    let hop = first;
    for (let hops = 0; ; hops++) {
      const response = await send(hop, request, signal);
      const next = limit > 0 ? nextHop(hop, response) : null;
      if (!next) return response;
      if (hops >= limit) {
        throw new FetchError(
          'too-many-redirects',
          `${describeUrl(first.url)} redirects more than ${limit} times; use the final address.`,
        );
      }
      hop = next;
    }
  }

  async function send(hop: Hop, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { statusCode, headers, body } = await open(hop, signal);
    const bytes = await readBounded(body, hop.url, request.maxBytes ?? USUAL_LIMIT);
    return createHttpResponse(statusCode, toHeaders(headers), hop.url, bytes);
  }

  async function open({ url, method, headers, body }: Hop, signal: AbortSignal | undefined) {
    return await (await wayTo(url)).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  const stream: Http['stream'] = async (address, request) => {
    const hop = firstHop(new URL(address), request, options.userAgent);
    try {
      const { statusCode, headers, body } = await open(hop, request.signal);
      if (statusCode === request.expected) return { body };
      const bytes = await readBounded(body, hop.url, request.maxBytes ?? USUAL_LIMIT);
      return { response: createHttpResponse(statusCode, toHeaders(headers), hop.url, bytes) };
    } catch (error) {
      request.signal?.throwIfAborted();
      throw toFetchError(error, hop.url, false);
    }
  };

  return { request, stream, close };

  async function close(): Promise<void> {
    await Promise.all([agent, ...proxies.values()].map((one) => one.destroy()));
  }
}

function firstHop(url: URL, request: HttpRequest, userAgent: string): Hop {
  const headers: Record<string, string> = { 'user-agent': userAgent };
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  return { url, method: (request.method ?? 'GET').toUpperCase(), headers, body: request.body };
}

async function readBounded(body: AsyncIterable<Uint8Array>, url: URL, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error destroys the stream, and with it the connection.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new FetchError(
        'too-large',
        `${describeUrl(url)} answers with more than ${maxBytes} bytes, which is the limit here.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function toHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const single of [value ?? []].flat()) headers.append(name, single);
  }
  return headers;
}

function isBrokenConnection(error: unknown): boolean {
  return !(error instanceof FetchError) && !(error instanceof AddressRefusedError);
}

function toFetchError(error: unknown, url: URL, deadlinePassed: boolean): Error {
  if (error instanceof FetchError || error instanceof AddressRefusedError) return error;
  const code = (error as { code?: unknown }).code;
  const isTimeout = deadlinePassed || (typeof code === 'string' && /TIMEOUT|ETIMEDOUT/.test(code));
  if (isTimeout) {
    return new FetchError('timeout', `${describeUrl(url)} did not answer in time; try again later.`, {
      cause: error,
    });
  }
  const [, refusal] =
    /Proxy (?:response|Authentication Required) \((\d+)\)/.exec(String((error as Error).message)) ?? [];
  if (refusal !== undefined) {
    const advice =
      refusal === '407' ? 'check the user name and password in its address' : 'ask who runs the proxy';
    return new FetchError(
      'unreachable',
      `${url.host} could not be reached: the proxy answered ${refusal}; ${advice}.`,
      { cause: error },
    );
  }
  const reason = typeof code === 'string' ? code : 'the connection broke';
  return new FetchError(
    'unreachable',
    `${url.host} could not be reached (${reason}); check the address, and that the server is up.`,
    { cause: error },
  );
}
