import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAncestor, peelToCommit } from '../../src/sandbox/git/read-commits.ts';
import { createGitRepo } from '../support/git-repo.ts';

it('the output for full oids is cached; failures and abbreviated oids are not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-ask-'));
  const [testRepo, two] = [
    await createGitRepo(join(folder, 'one')),
    await createGitRepo(join(folder, 'two')),
  ];
  const oid = await testRepo.commit({ 'README.md': '# One\n' });
  const next = await testRepo.commit({ 'README.md': '# Two\n' });
  expect(await peelToCommit(two.dir, oid)).toBeNull();
  // What is not packed is read without git.
  await two.git(['-c', 'fetch.unpackLimit=1', 'fetch', '--quiet', testRepo.dir, next]);
  expect(await peelToCommit(two.dir, oid)).toBe(oid);
  expect(await peelToCommit(two.dir, oid.slice(0, 8))).toBe(oid);
  expect(await isAncestor(two.dir, oid, next)).toBe(true);
  expect(await isAncestor(two.dir, next, oid)).toBe(false);
  await rm(folder, { recursive: true });
  expect(await peelToCommit(two.dir, oid)).toBe(oid);
  expect(await isAncestor(two.dir, oid, next)).toBe(true);
  await expect(peelToCommit(two.dir, oid.slice(0, 8))).rejects.toThrow();
});
