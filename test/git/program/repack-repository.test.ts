import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepositoryCache } from '../../../src/git/index.ts';
import { repackRepository } from '../../../src/git/program/repack-repository.ts';
import { createAddressGuard } from '../../../src/net/address-guard.ts';
import { createGitRepo } from '../../support/git-repo.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';

let root: string;
let server: GitServer;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-small-'));
  server = await startGitServer(root);
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

it('packs many fetches into one, loses nothing, and still fetches only what changed', async () => {
  const origin = await createGitRepo(join(root, 'a.git'));
  const directory = join(root, 'cache');
  const guard = createAddressGuard({ allowHosts: [server.host] });
  const cache = await openRepositoryCache({ directory, guard, program: 'git' });
  const repository = await cache.repository('one');
  const remote = { url: `${server.url}/a.git` };
  const oids: string[] = [];
  for (let i = 0; i < 4; i++) {
    oids.push(await origin.commit({ 'a.md': `${i}`, [`large-${i}.bin`]: `${i}`.repeat(200_000) }));
    await repository.fetchRef(remote, 'refs/heads/main');
  }

  const gitDir = join(
    directory,
    (await readdir(directory)).find((name) => /^[0-9a-f]{64}\.git$/.test(name)) ?? '',
  );
  const packs = async () =>
    (await readdir(join(gitDir, 'objects/pack'))).filter((name) => name.endsWith('.pack'));
  const borders = async () => (await readFile(join(gitDir, 'shallow'), 'utf8')).trim().split('\n');
  expect([(await packs()).length, (await borders()).length]).toEqual([4, 4]);
  await repackRepository({ gitPath: 'git', gitDir, maxPacks: 3 }, new AbortController().signal);
  expect([(await packs()).length, await borders()]).toEqual([1, [oids[3]]]);

  for (const oid of oids) expect((await repository.readTree(oid)).length).toBeGreaterThan(1);
  const next = await origin.commit({ 'a.md': 'next' });
  expect(await repository.fetchRef(remote, 'refs/heads/main')).toBe(next);
  const large = (await repository.readTree(next)).find(({ path }) => path === 'large-0.bin');
  const [blob] = await Array.fromAsync(repository.readBlobs([large?.oid ?? ''], remote));
  expect(blob?.bytes.length).toBe(200_000);
});
