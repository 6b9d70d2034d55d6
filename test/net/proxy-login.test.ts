/** Calls, and the client of GitHub, through a real proxy that wants a login. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp, type Http } from '../../src/net/http.ts';
import { readProxies, useProxies } from '../../src/net/proxy.ts';
import { type LoginProxy, startLoginProxy } from '../support/login-proxy.ts';
import { createSigningKey } from '../support/saml/certificate.ts';

const PASSWORD = 'p@ss:word/ä';
const LOGIN = `docs:${encodeURIComponent(PASSWORD)}`;
const AUTHORIZATION = `Basic ${Buffer.from(`docs:${PASSWORD}`).toString('base64')}`;

let target: Server;
let proxy: LoginProxy;
let http: Http;

beforeAll(async () => {
  const key = createSigningKey('outside.example');
  target = createServer({ key: key.privateKey, cert: key.certificate }, ({ headers }, answer) =>
    answer.end(JSON.stringify({ host: headers.host, login: headers['proxy-authorization'] ?? null })),
  );
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  proxy = await startLoginProxy((target.address() as AddressInfo).port);
});
const dispatcher = getGlobalDispatcher();
beforeEach(() => {
  proxy.seen.splice(0);
  proxy.authorization = AUTHORIZATION;
  // Of the test's own certificate.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  http = createHttp({ userAgent: 'test', backoffMs: 1, guard });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await http.close();
  useProxies(readProxies({}));
  setGlobalDispatcher(dispatcher);
});
afterAll(async () => {
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
  await proxy.close();
});

const guard = createAddressGuard({
  allowHttp: true,
  lookup: async (host: string) => {
    if (host === 'inside.example') return [{ address: '10.0.0.7', family: 4 as const }];
    if (host === 'direct.example') return [{ address: '203.0.113.9', family: 4 as const }];
    throw new Error('unknown');
  },
});

function use(login: string | null, noProxy = ''): void {
  const address = `http://${login === null ? '' : `${login}@`}${proxy.host}`;
  useProxies(readProxies({ HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: noProxy }));
}

it.each([
  ['with its login', LOGIN, true],
  ['that wants none', null, false],
])(
  'calls and the client of GitHub go through a proxy %s, and only that sees the login',
  async (_, login, wants) => {
    proxy.authorization = wants ? AUTHORIZATION : null;
    use(login);
    const expected = { host: 'outside.example', login: null };
    expect((await http.request('https://outside.example/')).json()).toEqual(expected);
    expect(await (await fetch('https://outside.example/')).json()).toEqual(expected);
    expect(proxy.seen).toEqual(['CONNECT outside.example:443 passed', 'CONNECT outside.example:443 passed']);
  },
);

it('a refused login is named without the password', async () => {
  use('docs:wrong-password');
  const error = await http.request('https://outside.example/', { retries: 0 }).catch((cause: Error) => cause);
  expect((error as Error).message).toBe(
    'outside.example could not be reached: the proxy answered 407; check the user name and password in its address.',
  );
  expect(`${error} ${(error as Error).stack} ${(error as { cause?: unknown }).cause}`).not.toContain(
    'wrong-password',
  );
});

it('private addresses stay refused behind a proxy, and the proxy is not asked', async () => {
  use(LOGIN);
  for (const url of ['https://inside.example/', 'https://10.0.0.8/', 'https://169.254.169.254/'])
    await expect(http.request(url)).rejects.toThrow(/private network|link-local|is in/);
  expect(proxy.seen).toEqual([]);
});

it('hosts of NO_PROXY are reached without the proxy', async () => {
  use(LOGIN, 'direct.example, .corp.example');
  await http.request('https://outside.example/');
  const direct = createHttp({ userAgent: 'test', backoffMs: 1, timeouts: { connectMs: 50 } });
  try {
    // Nobody answers at that name: it was looked up here.
    await expect(direct.request('https://direct.example/', { retries: 0 })).rejects.toThrow('direct.example');
  } finally {
    await direct.close();
  }
  expect(proxy.seen).toEqual(['CONNECT outside.example:443 passed']);
});
