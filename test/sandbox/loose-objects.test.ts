/** What is read from a repository's own files is what git says of it. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listRefs } from '../../src/sandbox/git/bare-repository.ts';
import { readLinearHistory, readLooseCommit } from '../../src/sandbox/git/loose-commit.ts';
import { readLooseObject, writeLooseObject } from '../../src/sandbox/git/loose-object.ts';
import { listTouchedPaths } from '../../src/sandbox/git/read-changes.ts';
import {
  countCommits,
  findMergeBase,
  isAncestor,
  listCommits,
  loadCommit,
  peelToCommit,
} from '../../src/sandbox/git/read-commits.ts';
import { readRefs } from '../../src/sandbox/git/read-refs.ts';
import { readBlob } from '../../src/sandbox/git/read-tree.ts';
import { createGitRepo } from '../support/git-repo.ts';

const people = [
  'A Person <a@example.com> 1700000000 +0000',
  'Ünï "Q" Code, Jr. <u@example.com> 1700000000 -0930',
  'No Mail <> 1700000000 +1400',
];
const messages = ['One\n', 'Two\n\nWith more,\n\nand more\n\n', '', 'No line end', '\n\nLate\n'];

it('commits, ranges, refs and files are read alike whether they are packed or not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-loose-'));
  const loose = await createGitRepo(join(folder, 'loose'));
  const write = (kind: string, text: string) =>
    loose.git(['hash-object', '-t', kind, '-w', '--stdin', '--literally'], text);
  const blob = await write('blob', 'Text\n');
  const written = await writeLooseObject(loose.dir, 'blob', Buffer.from('Other\n'));
  expect(await loose.git(['cat-file', 'blob', written])).toBe('Other');
  const tree = await loose.git(['mktree'], `100644 blob ${blob}\ta.md\n`);
  const commits: string[] = [];
  const commit = async (parents: readonly string[], more = '') => {
    const at = commits.length;
    const who = people[at % people.length];
    const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`];
    head.push(`committer ${people[(at + 1) % people.length]}`);
    const oid = await write('commit', `${head.join('\n')}\n${more}\n${messages[at % messages.length]}`);
    commits.push(oid);
    return oid;
  };
  const first = await commit([]);
  const second = await commit([first]);
  const left = await commit([second], 'gpgsig -----BEGIN\n parent of nothing\n -----END\n');
  const right = await commit([second]);
  const merged = await commit([left, right]);
  const latin = await commit([merged], 'encoding ISO-8859-1\n');
  const tip = await commit([latin]);
  const apart = await commit([]);
  const tag = await write('tag', `object ${tip}\ntype commit\ntag v1\ntagger ${people[0]}\n\nv1\n`);
  for (const [ref, oid] of [
    ['refs/heads/main', tip],
    ['refs/heads/a/b', left],
    ['refs/tags/v1', tag],
    ['refs/pull/1/head', right],
  ] as const) {
    await loose.git(['update-ref', ref, oid]);
  }

  const packed = join(folder, 'packed');
  await cp(loose.dir, packed, { recursive: true });
  await mkdir(join(packed, 'objects/pack'), { recursive: true });
  const pack = await loose.git(
    ['pack-objects', '--quiet', join(packed, 'objects/pack/pack')],
    [...commits, tree, blob, tag].map((oid) => `${oid}\n`).join(''),
  );
  expect(pack).toMatch(/^[0-9a-f]{40}$/);
  await loose.git(['--git-dir', packed, 'prune-packed', '--quiet']);
  await loose.git(['--git-dir', packed, 'pack-refs', '--all']);
  expect(await readLooseObject(packed, tip)).toBeNull();

  const tell = async (dir: string) => ({
    refs: await listRefs(dir),
    blob: (await readBlob(dir, blob)).toString(),
    commits: await Promise.all(commits.map((oid) => loadCommit(dir, oid))),
    peeled: await Promise.all([...commits, tag, tree, blob].map((oid) => peelToCommit(dir, oid))),
    pairs: await Promise.all(
      [first, left, tip, apart].flatMap((a) =>
        [first, right, tip].map(async (b) => ({
          base: await findMergeBase(dir, a, b),
          after: await isAncestor(dir, a, b),
          count: await countCommits(dir, { include: [a], exclude: [b] }),
          list: await listCommits(dir, { include: [a], exclude: [b], limit: 2, skip: 1 }),
        })),
      ),
    ),
  });
  expect(await tell(loose.dir)).toEqual(await tell(packed));
  // And each in its own way.
  expect(await readLinearHistory(loose.dir, left, first)).toHaveLength(2);
  expect(await readLinearHistory(loose.dir, tip, first)).toBeNull();
  expect(await readLooseCommit(loose.dir, latin)).toBeNull();
  expect(Object.keys((await readRefs(loose.dir, ['refs/heads', 'refs/tags'])) ?? {})).toEqual([
    'refs/heads/a/b',
    'refs/heads/main',
    'refs/tags/v1',
  ]);
  await rm(folder, { recursive: true });
});

it('the paths that commits touched are the same whether they are packed or not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-touched-'));
  const repo = await createGitRepo(join(folder, 'loose'));
  const commits = [
    await repo.commit({ 'a.md': 'A', 'docs/b.md': 'B', 'docs.md': 'C', 'docs-x/é "q".md': 'D', run: 'E' }),
    await repo.commit({ 'a.md': null, 'docs/b.md': 'B2', 'docs/deep/c.md': 'C', run: { executable: 'E' } }),
    await repo.commit({ 'docs.md': null, 'docs/deep/c.md': null, link: { symlink: 'run' } }),
    await repo.commit({ 'docs.md/now/a.md': 'A', link: 'a file', sub: { submodule: 'a'.repeat(40) } }),
    await repo.commit({ 'docs.md/now/a.md': null, 'docs.md': 'A', sub: null }),
    await repo.commit({}),
  ];
  const asLoose = await listTouchedPaths(repo.dir, commits);
  await repo.git(['repack', '-adq']);
  expect(await readLooseObject(repo.dir, commits[0] ?? '')).toBeNull();
  expect([...asLoose]).toEqual([...(await listTouchedPaths(repo.dir, commits))]);
  expect(asLoose.get(commits[1] ?? '')).toEqual({
    added: ['docs/deep/c.md'],
    removed: ['a.md'],
    modified: ['docs/b.md', 'run'],
  });
  await rm(folder, { recursive: true });
});
