/** What was just sent to everybody is repeated before the framework takes a request apart; over HTTP, as readers ask. */

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateSite } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

describe.each([
  { where: 'below an organization', sitesUrl: null, path: '/s/acme/docs', host: null },
  {
    where: 'at a host of its organization',
    sitesUrl: 'https://*.docs.example',
    path: '/docs',
    host: 'acme.docs.example',
  },
])('a page of a site $where', ({ sitesUrl, path, host }) => {
  let sites: TestSites;
  let origin: string;
  let siteId: string;
  const page = `${path}/start`;

  beforeAll(async () => {
    sites = await startSites({ sitesUrl });
    const { platform } = sites;
    const spaceId = await platform.createSpace('Guide');
    const { repo, url } = await platform.createRepo('guide');
    await repo.commit({ 'README.md': '# Welcome\n', 'start.md': '# Start\n\nThe quokka.\n' });
    await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
    const site = await sites.createSite('docs');
    siteId = site.id;
    await sites.addSpace(site, spaceId);
    origin = await sites.listen();
  });
  afterAll(() => sites?.close());

  const ask = async (
    address: string,
    headers: Readonly<Record<string, string>> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<Answer> => {
    const answer = await request(origin + address, {
      method,
      headers: { ...(host === null ? {} : { host }), ...headers },
    });
    // Those of the connection depend on what the client wants of it.
    const { date: _date, connection: _connection, 'keep-alive': _alive, ...sent } = answer.headers;
    return {
      status: answer.statusCode,
      headers: sent,
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  };
  /** Asks until nothing of the framework is needed any more; returns the answers before and after. */
  const askTwice = async (...what: Parameters<typeof ask>) => {
    const first = await ask(...what);
    const again = await waitFor(async () => {
      const before = sites.routed.length;
      const answer = await ask(...what);
      return sites.routed.length === before ? answer : undefined;
    });
    return { first, again };
  };

  test.each<Readonly<Record<string, string>>>([
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'gzip, br', accept: 'text/html' },
  ])('is the same each time for %o', async (headers) => {
    const { first, again } = await askTwice(page, headers);
    expect(first.status).toBe(200);
    expect(again).toEqual(first);
  });

  test('has no body for who asks for its headers, or has it', async () => {
    const { headers } = await ask(page);
    const head = await askTwice(page, {}, 'HEAD');
    expect([head.again.status, head.again.body.length, head.again.headers]).toEqual([200, 0, headers]);
    const known = await askTwice(page, { 'if-none-match': String(headers['etag']) });
    expect([known.again.status, known.again.body.length]).toEqual([304, 0]);
  });

  /** What the server sends to requests on one connection until it ends, without what the time alone changes. */
  const exchange = async (...requests: readonly string[]) => {
    const { port, hostname } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const said = text(socket);
    for (const [line, ...headers] of requests.map((lines) => lines.split('\n')))
      socket.write(`${[line, `Host: ${host ?? 'localhost'}`, ...headers].join('\r\n')}\r\n\r\n`);
    return (await said).replace(/^Date: .*\r\n/gm, '');
  };

  test('goes out in the same bytes, however the connection goes on', async () => {
    const last = 'Connection: close';
    const get = `GET ${page} HTTP/1.1`;
    /** What is sent once nothing of the framework is needed. */
    const repeated = (...requests: readonly string[]) =>
      waitFor(async () => {
        const before = sites.routed.length;
        const said = await exchange(...requests);
        return sites.routed.length === before ? said : undefined;
      });
    const closing = await repeated(`${get}\n${last}`);
    const open = closing.replace('Connection: close', 'Connection: keep-alive\r\nKeep-Alive: timeout=72');
    const [head] = /^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*/.exec(closing) ?? [];

    // Sent at once, so that one is asked before the other is answered.
    const pipelined = await repeated(...Array.from({ length: 20 }, () => get), `${get}\n${last}`);
    expect(pipelined).toBe(open.repeat(20) + closing);
    expect(await repeated(`GET ${page} HTTP/1.0`)).toBe(closing);
    expect(await repeated(`HEAD ${page} HTTP/1.1\n${last}`)).toBe(`${head}\r\n`);
  });

  test('has the date of its own answer', async () => {
    await askTwice(page);
    const dateOf = async () =>
      String((await request(origin + page, { headers: host === null ? {} : { host } })).headers['date']);
    const before = await dateOf();
    const after = await waitFor(async () => {
      const date = await dateOf();
      return date === before ? undefined : date;
    });
    expect(Date.parse(after) - Date.parse(before)).toBeGreaterThan(0);
  });

  test('is not what is at the same path of another host', async () => {
    await askTwice(page);
    const before = sites.routed.length;
    await ask(page, { host: 'other.docs.example' });
    expect(sites.routed.length).toBe(before + 1);
  });

  test('is taken apart where a request is for anything else', async () => {
    await askTwice(page);
    const others: Parameters<typeof ask>[] = [
      [`${page}?a=b`],
      [page, { accept: 'text/markdown' }],
      [`${path}//start`],
      [`${page}/`],
    ];
    for (const [address, headers] of others) {
      const before = sites.routed.length;
      await ask(address, headers);
      expect(sites.routed.length, address).toBe(before + 1);
    }
    const markdown = await ask(page, { accept: 'text/markdown' });
    expect(markdown.headers['content-type']).toMatch(/^text\/markdown/);
  });

  test('is gone as soon as its site is not published any more', async () => {
    const { db } = sites.platform.deps;
    await askTwice(page);
    await updateSite(db, siteId, { publishedAt: null });
    await waitFor(async () => (await ask(page)).status === 404 || undefined);
    await updateSite(db, siteId, { publishedAt: new Date() });
    await waitFor(async () => (await ask(page)).status === 200 || undefined);
  });
});
