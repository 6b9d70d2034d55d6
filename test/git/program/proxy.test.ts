/** The git program and our own HTTP fetch through a proxy. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepositoryCache } from '../../../src/git/index.ts';
import { createGitRepo } from '../../support/git-repo.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';

let folder: string;
let git: GitServer;
let proxy: Server;
const seen: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-proxy-'));
  git = await startGitServer(join(folder, 'repos'));
  const { port } = new URL(git.url);
  proxy = createServer((incoming, answer) => {
    seen.push(String(incoming.url));
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const outgoing = request(
      { host: '127.0.0.1', port, method, headers, path: pathname + search },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    incoming.pipe(outgoing);
  });
  proxy.on('connect', (incoming, socket) => {
    seen.push(String(incoming.url));
    const way = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      way.pipe(socket).pipe(way);
    });
    for (const one of [way, socket]) one.on('error', () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy?.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await git?.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(['git', 'isomorphic-git'] as const)('fetches through a proxy (program: %s)', async (program) => {
  seen.length = 0;
  const repo = await createGitRepo(join(folder, 'repos', `${program}.git`));
  const oid = await repo.commit({ 'README.md': '# Far\n' });
  const uri = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const cache = await openRepositoryCache({
    directory: join(folder, program),
    // The name is known to the proxy only.
    guard: async () => ({ address: 'far.example', family: 4, proxy: uri }),
    program,
  });
  const repository = await cache.repository(program);
  expect(await repository.fetchRef({ url: `http://far.example/${program}.git` }, 'refs/heads/main')).toBe(
    oid,
  );
  expect(seen.join()).toContain('far.example');
});
