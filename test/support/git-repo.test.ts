import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitRepo, type FileChange, moveRef, readRef } from './git-repo.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-repo-'));
});
afterAll(() => rm(root, { recursive: true }));

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}.md`, `${index}\n`]));

test('what is written without git is what git would write', async () => {
  const repo = await createGitRepo(join(root, 'a.git'));
  const steps: Record<string, FileChange>[] = [
    { 'a.md': 'A\n', 'docs/b.md': 'B\n', 'docs.md': 'C\n', 'docs-x/é "q".md': new Uint8Array([0, 255]) },
    { run: { executable: '#!/bin/sh\n' }, link: { symlink: 'a.md' }, sub: { submodule: 'a'.repeat(40) } },
    { 'docs/b.md': null, 'a.md': null },
    { 'docs.md/now/a/folder.md': 'D\n' },
  ];
  for (const step of steps) await repo.commit(step);
  await repo.git(['fsck', '--strict', '--no-dangling']);
  const listed = await repo.git(['ls-tree', '-r', '-z', 'main']);
  expect(
    listed
      .replace(/ (blob|commit) \w+\t/g, ' ')
      .split('\0')
      .filter(Boolean),
  ).toEqual([
    '100644 docs-x/é "q".md',
    '100644 docs.md/now/a/folder.md',
    '120000 link',
    '100755 run',
    '160000 sub',
  ]);
  expect(await repo.git(['log', '--format=%an %ae %ad %s', '--date=iso', '-1', 'main'])).toBe(
    'Docs Bot bot@example.com 2024-01-01 00:00:03 +0000 Change things',
  );

  const packed = await createGitRepo(join(root, 'b.git'));
  await packed.commit(many(60));
  await packed.commit({ 'a.md': 'A\n' });
  expect((await packed.git(['ls-tree', '-r', 'main'])).split('\n')).toHaveLength(61);
});

test('a ref moves from where it is said to be, and not while git moves it', async () => {
  const repo = await createGitRepo(join(root, 'c.git'));
  const [first, second] = [await repo.commit({ a: '1' }), await repo.commit({ a: '2' })];
  expect(await moveRef(repo.dir, 'refs/heads/main', { from: first, to: first })).toBe(false);
  expect(await moveRef(repo.dir, 'refs/heads/main', { from: second, to: first })).toBe(true);
  expect(await moveRef(repo.dir, 'refs/heads/main/below', { from: null, to: first })).toBe(false);
  expect(await moveRef(repo.dir, 'refs/heads/main', { from: first, to: null })).toBe(true);
  expect(await readRef(repo.dir, 'refs/heads/main')).toBe(null);
});
