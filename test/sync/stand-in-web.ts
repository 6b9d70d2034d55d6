import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp, type Http, type HttpTimeouts } from '../../src/net/http.ts';
import { PATIENCE_MS } from '../support/patience.ts';

export interface Visit {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly at: number;
}

/** A web of made hosts, all of them one server on this machine. */
export interface StandInWeb {
  /**
   * Calls that reach every `*.test` name here, and nothing else of this machine. Other names are unknown, but for
   * `inside.rebinds`, which is this machine, and `both.rebinds`, which also has a public address.
   */
  readonly http: Http;
  readonly visits: readonly Visit[];
  /** The address of a path on a made host. */
  at(host: string, path?: string): string;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, host: string) => void;

/** How long those hosts are waited for that never answer. */
const SILENCE_MS = 300;

/** Paths below `/silent` are for hosts that never answer; all others are waited for as long as a busy machine takes. */
export async function openStandInWeb(answer: Answer): Promise<StandInWeb> {
  const visits: Visit[] = [];
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    visits.push({ host, method: request.method ?? '', path: request.url ?? '', at: performance.now() });
    answer(request, response, host);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const strict = createAddressGuard({
    allowHttp: true,
    async lookup(host) {
      const here = { address: '127.0.0.1', family: 4 } as const;
      if (host === 'inside.rebinds' || host === 'localhost') return [here];
      return host === 'both.rebinds' ? [{ address: '9.9.9.9', family: 4 }, here] : [];
    },
  });
  const open = createAddressGuard({
    allowPrivate: true,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const httpWith = (timeouts: HttpTimeouts) =>
    createHttp({
      userAgent: 'docloom-test',
      guard: (url) => (url.hostname.endsWith('.test') && url.port === String(port) ? open(url) : strict(url)),
      timeouts,
    });
  const patient = httpWith({ headersMs: PATIENCE_MS });
  const hasty = httpWith({ headersMs: SILENCE_MS, totalMs: SILENCE_MS + 1_700 });
  const httpFor = (url: string | URL) => (new URL(url).pathname.startsWith('/silent') ? hasty : patient);
  const http: Http = {
    request: (url, request) => httpFor(url).request(url, request),
    stream: (url, request) => httpFor(url).stream(url, request),
    async close() {
      await Promise.all([patient.close(), hasty.close()]);
    },
  };
  return {
    http,
    visits,
    at: (host, path = '/') => `http://${host}.test:${port}${path}`,
    async close() {
      await http.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
