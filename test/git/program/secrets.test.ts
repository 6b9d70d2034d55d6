import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepositoryCache } from '../../../src/git/index.ts';
import { createAddressGuard } from '../../../src/net/address-guard.ts';
import { createGitRepo } from '../../support/git-repo.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';

let root: string;
let server: GitServer;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-secrets-'));
  server = await startGitServer(root);
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

/** The arguments of every process of this machine. */
async function allArguments(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}

/** Everything written below a folder, as one text. */
async function allFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

describe.runIf(platform() === 'linux')('credentials and addresses', () => {
  it('are in no argument of a process, and in no file of the cache', async () => {
    const origin = await createGitRepo(join(root, 'a.git'));
    await origin.commit({ 'a.md': 'a' });
    const directory = join(root, 'cache');
    const guard = createAddressGuard({ allowHosts: [server.host] });
    const cache = await openRepositoryCache({ directory, guard, program: 'git' });
    const repository = await cache.repository('one');
    const credentials = { username: 'x-access-token', password: 'tokenThatNobodyMaySee' };
    const encoded = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    const remote = { url: `${server.url}/a.git`, credentials };
    server.credentials = credentials;
    await repository.fetchRef(remote, 'refs/heads/main');

    const asked = Promise.withResolvers<void>();
    server.answer = () => {
      asked.resolve();
      return 'stall';
    };
    const controller = new AbortController();
    const fetching = repository.fetchRef(remote, 'refs/heads/main', { signal: controller.signal });
    fetching.catch(() => {});
    await asked.promise;
    const seen = await allArguments();
    controller.abort();
    await expect(fetching).rejects.toThrow();

    const ours = seen.filter((line) => line.includes('refs/docloom/'));
    expect(ours.length).toBeGreaterThan(0);
    expect(seen.filter((line) => line.includes(credentials.password) || line.includes(encoded))).toEqual([]);
    const files = await allFiles(directory);
    expect(files).not.toContain(credentials.password);
    expect(files).not.toContain(encoded);
    expect(files).not.toContain(server.host);
  });
});
