import type { Readable } from 'node:stream';
import {
  type AnswerOf,
  type AnyOperation,
  type BodyOf,
  type HeadersOf,
  isBytes,
  isNothing,
  listHeaders,
  type ParamNames,
  type ParamsOf,
  type QueryOf,
} from '../contract/index.ts';
import type { Http, HttpResponse } from '../net/index.ts';
import { buildRequest, type CallInput } from './build-request.ts';
import { PlatformError } from './platform-error.ts';

export interface ClientOptions {
  /** The platform's address without `/v1`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Makes the calls, with limits of size and time; see `createHttp`. */
  readonly http: Http;
  /** The `x-request-id` of a call, for the platform's log. */
  readonly requestId?: () => string | undefined;
  /** Further headers of a call. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

type WithParams<Op extends AnyOperation> = [ParamNames<Op['path']>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Op> };
type WithBody<Op extends AnyOperation> = [undefined] extends [BodyOf<Op>]
  ? { readonly body?: undefined }
  : { readonly body: BodyOf<Op> };

/** The input of an operation: its path's parameters, its query, its body. */
export type InputOf<Op extends AnyOperation> = WithParams<Op> &
  WithBody<Op> & { readonly query?: QueryOf<Op>; readonly signal?: AbortSignal };

type ItemOf<Op extends AnyOperation> = AnswerOf<Op> extends { items: readonly (infer Item)[] } ? Item : never;

export interface PlatformClient {
  /**
   * Makes one call and returns the body of its answer.
   *
   * @throws PlatformError for any other status
   * @throws FetchError when the platform returns no usable answer
   */
  call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<AnswerOf<Op>>;
  /**
   * As `call`, with the headers that the operation declares. Another platform may leave them out, so each may be
   * absent.
   */
  callWithHeaders<Op extends AnyOperation>(
    operation: Op,
    input: InputOf<Op>,
  ): Promise<{ readonly answer: AnswerOf<Op>; readonly headers: Partial<HeadersOf<Op>> }>;
  /**
   * As `call`, for an operation that answers with bytes, which come as fast as they are read. An answer that breaks off is
   * an error of the stream.
   */
  stream<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<Readable>;
  /** All items of a list, requesting page after page as they are used. */
  paginate<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): AsyncGenerator<ItemOf<Op>, void>;
  /**
   * Reads the bytes of a file. Its `downloadURL` names the platform's public address, which this process may not
   * reach; so the same path is requested at the client's own address, and the token is sent nowhere else.
   *
   * @throws PlatformError for any other status than 200, and for an address that is not of the platform's API
   * @throws FetchError when there is no usable answer, also for one above `maxBytes`
   */
  download(
    file: { readonly downloadURL: string },
    options?: { readonly maxBytes?: number; readonly signal?: AbortSignal },
  ): Promise<Download>;
}

/** A file's bytes as the platform serves them. */
export interface Download {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The largest answer is a revision of a very large space, with about 300 bytes per page. */
const maxBytes = 256 * 1024 * 1024;

/** The typed client of the platform's API: `client.call(operations.getSpace, { params: { spaceId } })`. */
export function createClient(options: ClientOptions): PlatformClient {
  async function send(
    operation: AnyOperation,
    input: CallInput & { signal?: AbortSignal },
  ): Promise<{ answer: unknown; headers: Record<string, string> }> {
    const { url, body } = buildRequest(options.baseUrl, operation, input);
    const response = await options.http.request(url, {
      method: operation.method,
      headers: {
        ...usualHeaders(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(input.signal ? { signal: input.signal } : {}),
      maxBytes,
    });
    if (response.status !== operation.status) throw toPlatformError(operation, response);
    return { answer: readAnswer(operation, response), headers: readHeaders(operation, response) };
  }

  function usualHeaders(): Record<string, string> {
    const requestId = options.requestId?.();
    return {
      accept: 'application/json',
      ...options.headers?.(),
      authorization: `Bearer ${options.token}`,
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    };
  }

  async function stream(
    operation: AnyOperation,
    input: CallInput & { signal?: AbortSignal },
  ): Promise<Readable> {
    const { url } = buildRequest(options.baseUrl, operation, input);
    const answer = await options.http.stream(url, {
      expected: operation.status,
      headers: usualHeaders(),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    if ('response' in answer) throw toPlatformError(operation, answer.response);
    return answer.body;
  }

  const call = async (operation: AnyOperation, input: CallInput) => (await send(operation, input)).answer;

  async function* walk(
    operation: AnyOperation,
    input: CallInput & { signal?: AbortSignal },
  ): AsyncGenerator<unknown, void> {
    let page: string | undefined;
    do {
      const query = { ...(input.query as object | undefined), ...(page === undefined ? {} : { page }) };
      const answer = (await call(operation, { ...input, query })) as {
        items: readonly unknown[];
        next?: { page: string };
      };
      yield* answer.items;
      page = answer.next?.page;
    } while (page !== undefined);
  }

  const download: PlatformClient['download'] = async ({ downloadURL }, limits = {}) => {
    const path = pathOfApi(downloadURL);
    if (path === null)
      throw new PlatformError(404, 'The file has no address of this platform.', { requestId: null });
    const response = await options.http.request(`${options.baseUrl.replace(/\/+$/, '')}${path}`, {
      headers: { authorization: `Bearer ${options.token}` },
      ...limits,
    });
    if (response.status !== 200) throw toPlatformError({ method: 'GET' }, response);
    const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
    return { contentType, bytes: response.bytes() };
  };

  return { call, callWithHeaders: send, stream, paginate: walk, download } as PlatformClient;
}

function readAnswer(operation: AnyOperation, response: HttpResponse): unknown {
  if (isNothing(operation.answer)) return undefined;
  return isBytes(operation.answer) ? response.bytes() : response.json();
}

function readHeaders(operation: AnyOperation, response: HttpResponse): Record<string, string> {
  const names = listHeaders(operation).map(([name]) => name);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The part of an address from `/v1/` on; null when there is none. */
function pathOfApi(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { pathname, search } = new URL(address);
  const start = pathname.indexOf('/v1/');
  return start === -1 ? null : pathname.slice(start) + search;
}

function toPlatformError({ method }: Pick<AnyOperation, 'method'>, response: HttpResponse): PlatformError {
  const requestId = response.headers.get('x-request-id');
  const body = readErrorBody(response);
  if (body) {
    return new PlatformError(response.status, body.message, {
      requestId,
      ...(typeof body.reason === 'string' ? { reason: body.reason } : {}),
      ...(body.details ? { details: body.details } : {}),
    });
  }
  return new PlatformError(
    response.status,
    `${method} ${response.url.origin}${response.url.pathname} answered ${response.status}; check that this is the address of a documentation platform.`,
    { requestId },
  );
}

interface ErrorPart {
  readonly reason?: unknown;
  readonly message: string;
  readonly details?: readonly { path: string; message: string }[];
}

/** Null for an answer that a proxy or another service made. */
function readErrorBody(response: HttpResponse): ErrorPart | null {
  try {
    const { error } = JSON.parse(response.text()) as { error?: ErrorPart };
    return typeof error?.message === 'string' ? error : null;
  } catch {
    return null;
  }
}
