import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFirst } from '../../src/server/answer-first.ts';
import { settleHost } from '../../src/server/settle-host.ts';
import { createSiteHosts } from '../../src/sites/index.ts';

const hosts = createSiteHosts('https://*.docs.example');
const app = fastify({ rewriteUrl: hosts.rewriteUrl });
/** Hosts as they are seen before the framework takes a request apart. */
const seenFirst: string[] = [];

beforeAll(async () => {
  const setFirst = answerFirst(app, settleHost);
  setFirst(({ headers, url }) => {
    seenFirst.push(`${headers.host}${url}`);
    return false;
  });
  app.get('/*', async ({ url }) => `dashboard ${url}`);
  app.get('/~sites/org/*', async ({ url }) => `site ${url.slice('/~sites/org/'.length)}`);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

async function send(head: string): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return await text(socket);
}

test.each([
  ['GET /a?b=c HTTP/1.1\r\nHost: acme.docs.example', 'site acme/a?b=c'],
  ['GET http://acme.docs.example/a?b=c HTTP/1.1\r\nHost: dashboard.example', 'site acme/a?b=c'],
  ['GET HTTPS://ACME.docs.example:8443 HTTP/1.1\r\nHost: dashboard.example', 'site acme/'],
  ['GET http://acme.docs.example?b=c HTTP/1.1\r\nHost: dashboard.example', 'site acme/?b=c'],
  ['GET http://dashboard.example/a HTTP/1.1\r\nHost: acme.docs.example', 'dashboard /a'],
  ['GET http://[::1]:3000/a HTTP/1.1\r\nHost: acme.docs.example', 'dashboard /a'],
  ['GET /a HTTP/1.0', 'dashboard /a'],
  ['GET /a HTTP/1.1\r\nHost:', 'dashboard /a'],
])('%j is answered by the host of the address: %s', async (head, body) => {
  seenFirst.length = 0;
  const answer = await send(head);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain(`\r\n\r\n${body}`);
  expect(seenFirst).toHaveLength(1);
  expect(seenFirst[0]).not.toContain('://');
});

test.each([
  'GET /a HTTP/1.1\r\nHost: dashboard.example\r\nHost: acme.docs.example',
  'GET /a HTTP/1.1\r\nHost: dashboard.example\r\nX-A: b\r\nhost: dashboard.example',
  'GET /a HTTP/1.1\r\nHost: acme.docs.example/@dashboard.example',
  'GET /a HTTP/1.1\r\nHost: dashboard.example, acme.docs.example:x',
  'GET /a HTTP/1.1\r\nHost: acme.docs.example"><b>',
  'GET http://me:secret@acme.docs.example/a HTTP/1.1\r\nHost: acme.docs.example',
  'GET http:///a HTTP/1.1\r\nHost: acme.docs.example',
  'GET ftp://acme.docs.example/a HTTP/1.1\r\nHost: acme.docs.example',
])('%j names no single host, and is refused', async (head) => {
  seenFirst.length = 0;
  const answer = await send(head);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/m);
  expect(answer).toContain('"reason":"malformed-request"');
  expect(seenFirst).toEqual([]);
});
