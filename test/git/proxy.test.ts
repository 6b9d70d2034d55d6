/** Fetching through a real proxy that wants a login. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openRepositoryCache } from '../../src/git/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { readProxies, useProxies } from '../../src/net/proxy.ts';
import { createGitRepo, type TestRepo } from '../support/git-repo.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { type LoginProxy, startLoginProxy } from '../support/login-proxy.ts';
import { createSigningKey } from '../support/saml/certificate.ts';

let folder: string;
let server: GitServer;
let repo: TestRepo;
let proxy: LoginProxy;
const dispatcher = getGlobalDispatcher();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-git-proxy-'));
  server = await startGitServer(join(folder, 'repos'));
  repo = await createGitRepo(join(folder, 'repos', 'docs.git'));
  proxy = await startLoginProxy(Number(new URL(server.url).port));
  proxy.authorization = `Basic ${Buffer.from('docs:p@ss').toString('base64')}`;
});
afterEach(() => {
  useProxies(readProxies({}));
  setGlobalDispatcher(dispatcher);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(['git', 'isomorphic-git'] as const)(
  '%s fetches through a proxy with a login, and a refused one is named without the password',
  async (program) => {
    const guard = createAddressGuard({
      allowHttp: true,
      lookup: async (host: string) => {
        if (host === 'inside.example') return [{ address: '10.0.0.7', family: 4 as const }];
        throw new Error('unknown');
      },
    });
    const oid = await repo.commit({ 'README.md': `# Fetched by ${program}\n` });
    const cache = await openRepositoryCache({ directory: join(folder, `cache-${program}`), guard, program });
    const fetchFrom = async (host: string, login: string) => {
      useProxies(readProxies({ HTTP_PROXY: `http://${login}@${proxy.host}` }));
      const repository = await cache.repository(login.replace(/\W/g, '-'));
      return await repository.fetchRef({ url: `http://${host}/docs.git` }, 'refs/heads/main', {});
    };
    expect(await fetchFrom('git.example', 'docs:p%40ss')).toBe(oid);
    expect(proxy.seen.some((line) => line.includes('git.example') && line.endsWith('passed'))).toBe(true);
    proxy.seen.splice(0);
    const refused = await fetchFrom('git.example', 'docs:wrong-word').catch((error: Error) => error);
    expect((refused as Error).message).toBe(
      'git.example could not be reached: the proxy answered 407; check the user name and password in its address.',
    );
    expect(`${(refused as Error).message} ${(refused as Error).stack}`).not.toContain('wrong-word');
    expect(proxy.seen.some((line) => line.endsWith('refused'))).toBe(true);
    proxy.seen.splice(0);
    await expect(fetchFrom('inside.example', 'docs:p%40ss')).rejects.toThrow('private network');
    expect(proxy.seen).toEqual([]);
  },
);

it.each(['git', 'isomorphic-git'] as const)(
  '%s fetches by TLS through a proxy, which sees the name and the login, and nothing of what is fetched',
  async (program) => {
    const key = createSigningKey('git.example');
    const tls: TlsServer = createTlsServer(
      { key: key.privateKey, cert: key.certificate },
      (incoming, answer) => {
        const { method, url: path, headers } = incoming;
        const onward = request(
          { host: '127.0.0.1', port: new URL(server.url).port, method, path, headers },
          (given) => {
            answer.writeHead(given.statusCode ?? 502, given.headers);
            given.pipe(answer);
          },
        );
        incoming.pipe(onward);
      },
    );
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const outside = await startLoginProxy((tls.address() as AddressInfo).port);
    outside.authorization = proxy.authorization;
    try {
      // Trusted as a certificate of one's own is: by git from a file, by Node from its settings at the start.
      const authority = join(folder, 'authority.pem');
      await writeFile(authority, key.certificate);
      vi.stubEnv('GIT_SSL_CAINFO', authority);
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const oid = await repo.commit({ 'README.md': `# Fetched by ${program} with TLS\n` });
      const guard = createAddressGuard({ lookup: async () => Promise.reject(new Error('unknown')) });
      const cache = await openRepositoryCache({ directory: join(folder, `tls-${program}`), guard, program });
      const fetchBy = async (login: string) => {
        useProxies(readProxies({ HTTPS_PROXY: `http://${login}@${outside.host}` }));
        const repository = await cache.repository(login.replace(/\W/g, '-'));
        return await repository.fetchRef({ url: 'https://git.example/docs.git' }, 'refs/heads/main', {});
      };
      expect(await fetchBy('docs:p%40ss')).toBe(oid);
      expect(outside.seen.filter((line) => line.endsWith('passed'))).toContain(
        'CONNECT git.example:443 passed',
      );
      expect(outside.seen.every((line) => line.startsWith('CONNECT git.example:443 '))).toBe(true);
      const refused = await fetchBy('docs:wrong-word').catch((error: Error) => error);
      expect((refused as Error).message).toBe(
        'git.example could not be reached: the proxy answered 407; check the user name and password in its address.',
      );
    } finally {
      vi.unstubAllEnvs();
      await outside.close();
      tls.closeAllConnections();
      await new Promise((resolve) => tls.close(resolve));
    }
  },
);
