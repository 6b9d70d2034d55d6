import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp, type Http, type HttpOptions } from '../../src/net/http.ts';
import { pickPort } from '../support/pick-port.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server;
let port: number;
let origin: string;
let handle: Handler;
let seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[];
let http: Http;

const options: HttpOptions = { userAgent: 'docloom-test', backoffMs: 1 };

beforeEach(async () => {
  seen = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    handle(request, response, body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
  http = createHttp(options);
});

afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** Answers with each in turn, the last for ever. */
function answers(...list: ((response: ServerResponse) => void)[]): void {
  let next = 0;
  handle = (_request, response) => list[Math.min(next++, list.length - 1)]?.(response);
}

const ok = (response: ServerResponse) => void response.end('{"ok":true}');
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
const hangUp = (response: ServerResponse) => void response.destroy();

describe('request', () => {
  it('sends the request and reads the whole response', async () => {
    handle = (_request, response, body) =>
      response.writeHead(201, { 'x-a': ['1', '2'] }).end(JSON.stringify({ body }));
    const response = await http.request(`${origin}/p?q=1`, {
      method: 'post',
      headers: { 'Content-Type': 'text/plain' },
      body: 'grüß',
    });
    expect(response.status).toBe(201);
    expect(response.json()).toEqual({ body: 'grüß' });
    expect(response.headers.get('x-a')).toBe('1, 2');
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/p?q=1',
      headers: { 'user-agent': 'docloom-test', 'content-type': 'text/plain' },
    });
  });

  it('reports what was received when JSON was expected', async () => {
    handle = (_request, response) => response.setHeader('content-type', 'text/html').end('<p>');
    const response = await http.request(`${origin}/p?token=secret`);
    expect(() => response.json()).toThrow(
      `${origin}/p answered 200 with text/html where JSON was expected; check that this is the address of the right service.`,
    );
  });

  it('stops reading at the limit, also when no length was announced', async () => {
    let sent = 0;
    handle = (_request, response) => {
      const write = () => {
        while (!response.destroyed && sent < 1e9 && response.write(Buffer.alloc(65536))) sent += 65536;
        if (!response.destroyed && sent < 1e9) response.once('drain', write);
      };
      write();
    };
    await expect(http.request(origin, { maxBytes: 1000 })).rejects.toMatchObject({ code: 'too-large' });
    expect(sent).toBeLessThan(50e6);
  });

  it('gives up on a server that never answers', async () => {
    const impatient = createHttp({ ...options, timeouts: { totalMs: 150 } });
    handle = () => {};
    await expect(impatient.request(origin)).rejects.toMatchObject({ code: 'timeout', retryable: true });
    await impatient.close();
  });

  it('throws the reason of a signal', async () => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    handle = () => controller.abort(reason);
    await expect(http.request(origin, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('reports when nothing listens at the address', async () => {
    const port = await pickPort();
    await expect(http.request(`http://127.0.0.1:${port}/?key=secret`, { retries: 0 })).rejects.toMatchObject({
      code: 'unreachable',
      message: `127.0.0.1:${port} could not be reached (ECONNREFUSED); check the address, and that the server is up.`,
    });
  });
});

describe('retries', () => {
  const soon = { 'retry-after': '0' };
  const late = { 'retry-after': '3600' };
  it.each([
    ['GET', [status(502), ok], 200, 2],
    ['GET', [status(503), status(504), ok], 200, 3],
    ['GET', [status(503)], 503, 3],
    ['GET', [status(500)], 500, 1],
    ['GET', [hangUp, ok], 200, 2],
    ['PUT', [hangUp, ok], 200, 2],
    ['POST', [status(502)], 502, 1],
    ['POST', [status(503)], 503, 1],
    ['POST', [status(503, soon), ok], 200, 2],
    ['POST', [status(429), ok], 200, 2],
    ['GET', [status(429, late)], 429, 1],
    ['GET', [status(429, { 'retry-after': new Date(0).toUTCString() }), ok], 200, 2],
  ])('%s %#', async (method, list, expected, calls) => {
    answers(...list);
    const response = await http.request(origin, { method });
    expect([response.status, seen.length]).toEqual([expected, calls]);
  });

  it('never repeats a POST whose connection broke', async () => {
    answers(hangUp, ok);
    await expect(http.request(origin, { method: 'POST', body: 'x' })).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(seen).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const start = Date.now();
    answers(status(429, { 'retry-after': '1' }), ok);
    await http.request(origin);
    expect(Date.now() - start).toBeGreaterThanOrEqual(990);
  });
});

describe('redirects', () => {
  it('are responses unless they are to be followed', async () => {
    answers(status(302, { location: '/elsewhere' }));
    expect((await http.request(origin)).status).toBe(302);
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'x'],
    [308, 'PUT', 'PUT', 'x'],
  ])('%i turns %s into %s', async (code, method, expected, body) => {
    answers(status(code, { location: 'next' }), ok);
    const response = await http.request(`${origin}/a/b`, { method, body: 'x', followRedirects: 1 });
    expect(response.url.pathname).toBe('/a/next');
    expect(seen[1]).toMatchObject({ method: expected, body });
  });

  it('send secrets to their own origin only', async () => {
    handle = (request, response) => {
      if (request.url === '/') status(302, { location: `http://localhost:${port}/away` })(response);
      else ok(response);
    };
    await http.request(origin, {
      headers: { Authorization: 'Bearer secret', 'X-Api-Key': 'secret', Accept: 'a/b' },
      followRedirects: 1,
    });
    expect(seen[1]?.headers.authorization).toBeUndefined();
    expect(seen[1]?.headers['x-api-key']).toBeUndefined();
    expect(seen[1]?.headers.accept).toBe('a/b');
  });

  it('end', async () => {
    answers(status(302, { location: '/' }));
    await expect(http.request(origin, { followRedirects: 3 })).rejects.toMatchObject({
      code: 'too-many-redirects',
    });
    expect(seen).toHaveLength(4);
  });

  it('lead to web addresses only', async () => {
    answers(status(302, { location: 'file:///etc/passwd' }));
    await expect(http.request(origin, { followRedirects: 1 })).rejects.toMatchObject({
      code: 'bad-redirect',
    });
  });
});

describe('a guard', () => {
  it('decides the address of the connection, while the name stays the same', async () => {
    const guarded = createHttp({
      ...options,
      guard: createAddressGuard({
        allowHosts: ['forge.test'],
        lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      }),
    });
    handle = (_request, response) => ok(response);
    expect((await guarded.request(`http://forge.test:${port}/`)).json()).toEqual({ ok: true });
    expect(seen[0]?.headers.host).toBe(`forge.test:${port}`);
    await guarded.close();
  });

  it('stops a call, and a redirect, to a private address before a byte is sent', async () => {
    const guarded = createHttp({
      ...options,
      guard: createAddressGuard({ allowHosts: [`127.0.0.1:${port}`] }),
    });
    await expect(guarded.request(`https://localhost:${port}/`)).rejects.toMatchObject({ reason: 'range' });
    expect(seen).toHaveLength(0);
    answers(status(302, { location: `http://127.0.0.2:${port}/` }), ok);
    await expect(guarded.request(origin, { followRedirects: 5 })).rejects.toMatchObject({ reason: 'scheme' });
    expect(seen).toHaveLength(1);
    await guarded.close();
  });
});
