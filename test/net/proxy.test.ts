import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp } from '../../src/net/http.ts';
import { proxyFor, readProxies, useProxies } from '../../src/net/proxy.ts';

it.each([
  ['https://github.com/x', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://github.com/x', { https_proxy: 'http://q:1', HTTPS_PROXY: 'http://p:1' }, 'http://q:1'],
  ['http://github.com/x', { HTTPS_PROXY: 'http://p:1' }, null],
  ['http://github.com/x', { HTTP_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://ghe.corp.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.corp.example, other' }, null],
  ['https://corp.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other,CORP.example' }, null],
  ['https://notcorp.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'corp.example' }, 'http://p:1'],
  ['https://a.example:8443/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:443' }, 'http://p:1'],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:443' }, null],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ['http://127.0.0.1:3000/x', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://[::1]:3000/x', { HTTP_PROXY: 'http://p:1' }, null],
  ['https://a.example/x', { HTTPS_PROXY: '' }, null],
  ['https://a.example/x', { HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128'],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1', no_proxy: '*.example' }, null],
])('%s with %j is reached through %s', (url, env, expected) => {
  expect(proxyFor(new URL(url), readProxies(env))).toBe(expected);
});

let proxy: Server;
let target: Server;
let seen: string[];
beforeAll(async () => {
  target = createServer((request, answer) => answer.end(`${request.headers.host} ${request.url}`));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  // A small real proxy: whatever is asked for, it leads to the target.
  proxy = createServer();
  proxy.on('connect', (request, socket) => {
    seen.push(String(request.url));
    const way = connect((target.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      way.pipe(socket).pipe(way);
    });
    for (const one of [way, socket]) one.on('error', () => {});
  });
  proxy.on('request', (request, answer) => {
    seen.push(String(request.url));
    answer.end(`${request.headers.host} ${new URL(request.url ?? '').pathname}`);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const server of [proxy, target]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

it('calls go through the proxy, which looks up what this machine does not know, and private addresses stay refused', async () => {
  seen = [];
  const dispatcher = getGlobalDispatcher();
  useProxies(readProxies({ HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }));
  const lookup = async (host: string) => {
    if (host === 'inside.example') return [{ address: '10.0.0.7', family: 4 as const }];
    throw new Error('unknown');
  };
  const http = createHttp({ userAgent: 'test', guard: createAddressGuard({ allowHttp: true, lookup }) });
  try {
    const answer = await http.request('http://outside.example/page');
    expect([answer.status, answer.text()]).toEqual([200, 'outside.example /page']);
    expect(seen.join()).toContain('outside.example');
    await expect(http.request('http://inside.example/page')).rejects.toThrow('is in a private network');
    await expect(http.request('http://10.0.0.8/page')).rejects.toThrow('is in a private network');
    expect(seen).toHaveLength(1);
  } finally {
    useProxies(readProxies({}));
    setGlobalDispatcher(dispatcher);
    await http.close();
  }
});
