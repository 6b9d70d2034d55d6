import {
  AddressRefusedError,
  createHttp,
  FetchError,
  type Http,
  type HttpResponse,
} from '../../net/index.ts';
import { MAX_SPEC_BYTES } from '../../openapi/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { publicAddress, type RemoteSource } from './spec-source.ts';

/** A specification cannot be fetched. The message is for people and contains no secret. */
export class SpecUnreachable extends Error {
  override readonly name = 'SpecUnreachable';
  readonly code: 'FETCH_TIMEOUT' | 'FETCH_ERROR';

  constructor(code: 'FETCH_TIMEOUT' | 'FETCH_ERROR', message: string) {
    super(message);
    this.code = code;
  }
}

/** The validators of the last response, for a conditional request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface FetchedSpec extends Validators {
  readonly text: string;
}

const ACCEPTED = 'application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.8';

/** Fetches a specification and the files that it refers to. The guard checks every address, also those of redirects. */
export class SpecFetcher {
  readonly #http: Http;
  readonly #source: RemoteSource;
  readonly #signal: AbortSignal;

  constructor(deps: Pick<PlatformDeps, 'guard'>, source: RemoteSource, signal: AbortSignal) {
    this.#http = createHttp({
      guard: deps.guard,
      userAgent: 'docloom',
      timeouts: { totalMs: 60_000 },
      connections: 4,
    });
    this.#source = source;
    this.#signal = signal;
  }

  /** Fetches the main file; null if the server says that it has not changed since `known`. @throws SpecUnreachable */
  async fetchEntry(known: Validators): Promise<FetchedSpec | null> {
    const response = await this.#get(this.#source.url, {
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
    });
    if (response.status === 304) return null;
    return {
      text: textOf(response, this.#source.url),
      etag: response.headers.get('etag'),
      lastModified: response.headers.get('last-modified'),
    };
  }

  /** Fetches a file that the main file refers to. @throws SpecUnreachable */
  async fetchReferenced(address: string): Promise<string> {
    return textOf(await this.#get(address, {}), address);
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  async #get(address: string, conditions: Readonly<Record<string, string>>): Promise<HttpResponse> {
    const isSameOrigin = new URL(address).origin === new URL(this.#source.url).origin;
    try {
      return await this.#http.request(address, {
        headers: { accept: ACCEPTED, ...(isSameOrigin ? this.#source.headers : {}), ...conditions },
        signal: this.#signal,
        maxBytes: MAX_SPEC_BYTES,
        followRedirects: 5,
      });
    } catch (error) {
      if (error instanceof FetchError) {
        throw new SpecUnreachable(error.code === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', error.message);
      }
      if (error instanceof AddressRefusedError) throw new SpecUnreachable('FETCH_ERROR', error.message);
      throw error;
    }
  }
}

function textOf(response: HttpResponse, address: string): string {
  const { status } = response;
  const where = publicAddress(address);
  const fail = (message: string) => new SpecUnreachable('FETCH_ERROR', message);
  if (status === 401 || status === 403) {
    throw fail(`${where} answered ${status}: add the headers that it requires to the source.`);
  }
  if (status === 404 || status === 410) {
    throw fail(`${where} answered ${status}: there is nothing at this address; check it.`);
  }
  if (status !== 200) throw fail(`${where} answered ${status} instead of a specification; try again later.`);
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
    throw fail(`${where} answered with an HTML page; use the address of the specification itself.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(response.bytes());
  } catch {
    throw fail(`${where} answered with something that is not text in UTF-8.`);
  }
}
