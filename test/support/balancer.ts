import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { waitFor } from './wait-for.ts';

export interface Balancer {
  readonly url: string;
  /** Sends requests to the processes at these addresses, in turn, from when all of them are ready. */
  lead(targets: readonly string[]): Promise<void>;
  readonly targets: readonly string[];
  /** Answers that were not passed on, since no process gave one. */
  readonly failures: string[];
  isReady(target: string): boolean;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** How often processes are asked whether they are ready, as balancers do each few seconds. */
const PROBE_MS = 50;

/** How long a process that is busy may take to say that it is ready; one that ended refuses the connection at once. */
const ANSWER_MS = 20_000;

/**
 * A round-robin balancer: requests go to the processes that are ready, in turn, and to the next one where a connection is
 * refused or 503 is answered; where a connection breaks after the request was sent, only if it may be sent twice.
 */
export async function startBalancer(): Promise<Balancer> {
  const ready = new Set<string>();
  const failures: string[] = [];
  let targets: readonly string[] = [];
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => null);
    if (body === null) return;
    const { method = 'GET', url = '/', headers } = incoming;
    const candidates = targets.filter((target) => ready.has(target));
    const reasons: string[] = [];
    for (let tried = 0; tried < candidates.length; tried += 1) {
      turn += 1;
      const target = candidates[turn % candidates.length] ?? '';
      const answer = await ask(target + url, method, headers, body).catch(
        (error: NodeJS.ErrnoException) => error,
      );
      if (!(answer instanceof Error) && answer.status !== 503) {
        outgoing.writeHead(answer.status, answer.headers).end(answer.body);
        return;
      }
      const reason = answer instanceof Error ? String(answer.code) : '503';
      reasons.push(reason);
      const wasSent = answer instanceof Error && answer.code !== 'ECONNREFUSED';
      if (wasSent && method !== 'GET' && method !== 'HEAD') break;
    }
    failures.push(`${method} ${url}: ${reasons.join(', ') || 'no process is ready'}`);
    outgoing.writeHead(503).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  const probe = setInterval(() => {
    for (const target of targets) {
      isReadyNow(target).then(
        (isReady) => (isReady ? ready.add(target) : ready.delete(target)),
        () => ready.delete(target),
      );
    }
  }, PROBE_MS);
  return {
    url: `http://127.0.0.1:${port}`,
    async lead(others) {
      targets = others;
      await waitFor(() => targets.every((target) => ready.has(target)));
    },
    get targets() {
      return targets;
    },
    failures,
    isReady: (target) => ready.has(target),
    async close() {
      clearInterval(probe);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Release 0.1.0 answers only `/healthz`. */
async function isReadyNow(target: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const { ok, status } = await fetch(`${target}/readyz`, { signal });
  return status === 404 ? (await fetch(`${target}/healthz`, { signal })).ok : ok;
}

function ask(url: string, method: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, connection: 'close' } }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: bytes }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
