import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { allowAddress } from './allow-address.ts';
import { authorization } from './remote.ts';
import { connectionError, redirectError, responseError } from './remote-errors.ts';
import { GitError, type GitRemote, type RemoteGuard } from './repository.ts';

/** The requested service of a host: to send objects, or to receive them. */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

const maxRedirects = 3;

export interface RemoteHttpOptions {
  readonly guard: RemoteGuard;
  readonly remote: GitRemote;
  readonly signal: AbortSignal;
  /** The largest body of one response, in bytes. */
  readonly maxBytes: number;
}

export interface RemoteResponse {
  readonly url: string;
  readonly method: string;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly headers: Record<string, string>;
  readonly body: AsyncIterableIterator<Uint8Array>;
}

/**
 * A connection to a repository over git's smart HTTP protocol (gitprotocol-http(5)): every hop calls the guard and
 * connects to the address that it allowed, credentials are sent to their own origin only, and every error is a GitError
 * with a message for people.
 */
export class RemoteHttp {
  readonly #options: RemoteHttpOptions;
  readonly #agents = new Map<string, Agent | ProxyAgent>();
  /** The repository's address, after redirects. */
  #base: string;

  constructor(options: RemoteHttpOptions) {
    this.#options = options;
    this.#base = options.remote.url;
  }

  get base(): string {
    return this.#base;
  }

  /** Requests the refs and follows redirects, which hosts use for renamed repositories. */
  async discover(service: GitService = 'git-upload-pack'): Promise<RemoteResponse> {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await this.#send('GET', `/info/refs?service=${service}`);
      const { location } = response.headers;
      if (response.statusCode >= 300 && response.statusCode < 400 && location !== undefined) {
        this.#base = this.#redirected(location);
        continue;
      }
      this.#check(response, `application/x-${service}-advertisement`);
      return response;
    }
    throw redirectError(this.#options.remote, 'more than three times');
  }

  /** Sends a request for objects, or objects. Redirects are refused here: `discover` has found the repository's address. */
  async send(
    service: GitService,
    body: Uint8Array,
    headers: Record<string, string>,
  ): Promise<RemoteResponse> {
    const response = await this.#send('POST', `/${service}`, body, {
      'content-type': `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
      ...headers,
    });
    this.#check(response, `application/x-${service}-result`);
    return response;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  #redirected(location: string): string {
    const url = URL.parse(location, `${this.#base}/info/refs`);
    if (!url || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith('/info/refs')) {
      throw redirectError(this.#options.remote, 'to a page that is not a repository');
    }
    if (this.#base.startsWith('https:') && url.protocol === 'http:') {
      throw redirectError(this.#options.remote, 'from https to http');
    }
    return `${url.origin}${url.pathname.slice(0, -'/info/refs'.length)}`;
  }

  #check(response: RemoteResponse, type: string): void {
    if (response.statusCode === 200 && response.headers['content-type']?.split(';')[0] === type) return;
    throw responseError(this.#options.remote, response.statusCode);
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body?: Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<RemoteResponse> {
    const { remote, signal, maxBytes } = this.#options;
    const url = new URL(this.#base + path);
    try {
      const response = await (await this.#agent(url)).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { ...headers, 'user-agent': 'git/docloom', ...this.#secrets(url) },
        body: body ?? null,
        signal,
      });
      return {
        url: url.href,
        method,
        statusCode: response.statusCode,
        statusMessage: response.statusText,
        headers: flatten(response.headers),
        body: this.#bounded(response.body, maxBytes),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof GitError ? error : connectionError(remote, error);
    }
  }

  async *#bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterableIterator<Uint8Array> {
    const { remote, signal } = this.#options;
    let size = 0;
    try {
      for await (const chunk of body) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge(remote, maxBytes);
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof GitError ? error : connectionError(remote, error);
    }
  }

  #secrets(url: URL): Record<string, string> {
    const value = authorization(this.#options.remote);
    const sameOrigin = url.origin === new URL(this.#options.remote.url).origin;
    return value && sameOrigin ? { authorization: value } : {};
  }

  async #agent(url: URL): Promise<Dispatcher> {
    const known = this.#agents.get(url.origin);
    if (known) return known;
    const { address, family, proxy } = await allowAddress(this.#options.guard, url);
    const agent =
      proxy === undefined
        ? new Agent({
            allowH2: false,
            connect: {
              timeout: 10_000,
              allowH2: false,
              // The name stays for TLS and Host; the guard decided which address it leads to.
              lookup: (_host, options, callback) =>
                options.all ? callback(null, [{ address, family }]) : callback(null, address, family),
            },
          })
        : new ProxyAgent({ allowH2: false, uri: proxy });
    this.#agents.set(url.origin, agent);
    return agent;
  }
}

/** Runs one exchange, and closes its connections whatever happens. */
export async function converse<T>(
  options: RemoteHttpOptions,
  run: (http: RemoteHttp) => Promise<T>,
): Promise<T> {
  const http = new RemoteHttp(options);
  try {
    return await run(http);
  } finally {
    await http.close();
  }
}

/** Returns the address of a repository after redirects. @throws GitError when the repository cannot be found */
export function findRepositoryUrl(options: RemoteHttpOptions): Promise<string> {
  return converse(options, async (http) => {
    await http.discover();
    return http.base;
  });
}

/** The message for a transfer above its limit. */
export function tooLarge(remote: GitRemote, maxBytes: number): GitError {
  const limit = Math.round(maxBytes / 1024 / 1024);
  return new GitError(
    'too-large',
    `The repository ${remote.url} sends more than ${limit} MiB for one commit, which is the limit here; make it smaller, or have the operator raise the limit.`,
  );
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
  );
}
