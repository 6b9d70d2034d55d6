import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepositoryCache } from '../../../src/git/index.ts';
import { releaseGitLock, sweepHalfPacks } from '../../../src/git/program/left-behind.ts';
import { createAddressGuard } from '../../../src/net/address-guard.ts';
import { createGitRepo } from '../../support/git-repo.ts';
import { startGitServer } from '../../support/git-server.ts';

let dir: string;
const signal = new AbortController().signal;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'docloom-left-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('sweepHalfPacks', () => {
  it('removes what is half-written and nothing else', async () => {
    const packs = join(dir, 'objects/pack');
    await mkdir(packs, { recursive: true });
    expect(await sweepHalfPacks(dir)).toBe(0);
    for (const [name, size] of Object.entries({ tmp_pack_a: 10, tmp_idx_b: 30, 'pack-1.pack': 99 })) {
      await writeFile(join(packs, name), 'x'.repeat(size));
    }
    expect(await sweepHalfPacks(dir)).toBe(30);
    expect(await readdir(packs)).toEqual(['pack-1.pack']);
  });
});

describe('releaseGitLock', () => {
  it.each([
    ['fatal: unable to access', false],
    ["fatal: Unable to create '/etc/hosts.lock': File exists.", false],
  ])('leaves %j alone', async (stderr, released) => {
    expect(await releaseGitLock(dir, stderr, signal)).toBe(released);
  });

  it('lets a fetch through after git was killed in the middle of one', async () => {
    const server = await startGitServer(dir);
    const origin = await createGitRepo(join(dir, 'a.git'));
    const oid = await origin.commit({ 'a.md': 'a' });
    const directory = join(dir, 'cache');
    const guard = createAddressGuard({ allowHosts: [server.host] });
    const repository = await (await openRepositoryCache({ directory, guard, program: 'git' })).repository(
      'one',
    );
    const name = (await readdir(directory)).find((file) => /^[0-9a-f]{64}\.git$/.test(file)) ?? '';
    await writeFile(join(directory, name, 'shallow.lock'), '');
    expect(await repository.fetchRef({ url: `${server.url}/a.git` }, 'refs/heads/main')).toBe(oid);
    await server.close();
  });
});
