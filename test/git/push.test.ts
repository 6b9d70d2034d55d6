import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CommitDraft,
  type GitFileChange,
  type GitRemote,
  type GitRepository,
  openRepositoryCache,
} from '../../src/git/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createGitRepo, type TestRepo } from '../support/git-repo.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';

let root: string;
let server: GitServer;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-push-'));
  server = await startGitServer(root);
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const person = { name: 'Docs Bot', email: 'bot@example.com', at: new Date('2026-01-02T03:04:05Z') };
const blob = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

function write(path: string, text: string, mode: 'file' | 'executable' = 'file'): GitFileChange {
  return { path, file: { oid: blob(text), mode, bytes: Buffer.from(text) } };
}

function draft(parent: string | null, ...changes: GitFileChange[]): CommitDraft {
  return { parent, changes, message: 'Change the docs', author: person, committer: person };
}

describe.each(['git', 'isomorphic-git'] as const)('a commit made with %s', (program) => {
  let origin: TestRepo;
  let remote: GitRemote;
  let repository: GitRepository;

  beforeEach(async () => {
    const name = `repo-${++count}.git`;
    origin = await createGitRepo(join(root, name));
    remote = { url: `${server.url}/${name}` };
    const guard = createAddressGuard({ allowHosts: [server.host] });
    const cache = await openRepositoryCache({ directory: join(root, 'cache'), guard, program });
    repository = await cache.repository(name);
  });

  it('changes what it names and leaves all else byte for byte', async () => {
    await origin.commit({
      'README.md': '# Home\n',
      'docs/a.md': 'a',
      'docs/deep/b.md': 'b',
      'docs-more/c.md': 'c',
      'docs.md': 'd',
      'run.sh': { executable: 'x' },
      'gone/only.md': 'o',
      link: { symlink: 'README.md' },
      lib: { submodule: '1'.repeat(40) },
    });
    const tip = await repository.fetchRef(remote, 'refs/heads/main');
    const commit = await repository.buildCommit(
      draft(
        tip,
        write('docs/a.md', 'A'),
        write('new/folder/n.md', 'n'),
        write('run.sh', 'y', 'executable'),
        { path: 'gone/only.md', file: null },
        { path: 'docs/moved.md', file: { oid: blob('b'), mode: 'file', bytes: null } },
        { path: 'docs/deep/b.md', file: null },
      ),
    );
    await repository.push(remote, 'refs/heads/main', commit);
    expect(await origin.git(['rev-parse', 'main'])).toBe(commit.oid);
    expect(await origin.git(['fsck', '--strict', '--full'])).toBe('');
    expect((await origin.git(['diff-tree', '-r', '--name-status', tip, commit.oid])).split('\n')).toEqual([
      'M\tdocs/a.md',
      'D\tdocs/deep/b.md',
      'A\tdocs/moved.md',
      'D\tgone/only.md',
      'A\tnew/folder/n.md',
      'M\trun.sh',
    ]);
    expect(await origin.git(['show', '-s', '--format=%an <%ae> %at|%cn|%B', 'main'])).toBe(
      'Docs Bot <bot@example.com> 1767323045|Docs Bot|Change the docs',
    );
    expect(await repository.fetchRef(remote, 'refs/heads/main')).toBe(commit.oid);
    // Said twice, it is done once.
    await repository.push(remote, 'refs/heads/main', commit);
  });

  it('preserves names that are not UTF-8 and historical modes', async () => {
    const empty = await origin.git(['hash-object', '-w', '--stdin'], '');
    const tree = await origin.git(
      ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
      Buffer.concat([
        Buffer.from('100644 a\xff.md\0', 'latin1'),
        Buffer.from(empty, 'hex'),
        Buffer.from('100664 b.md\0'),
        Buffer.from(empty, 'hex'),
      ]),
    );
    const env = ['-c', 'user.name=Docs Bot', '-c', 'user.email=bot@example.com'];
    const first = await origin.git([...env, 'commit-tree', tree, '-m', 'Odd names']);
    await origin.git(['update-ref', 'refs/heads/main', first]);
    const tip = await repository.fetchRef(remote, 'refs/heads/main');
    const commit = await repository.buildCommit(draft(tip, write('b.md', 'b'), write('c.md', 'c')));
    await repository.push(remote, 'refs/heads/main', commit);
    // Listings write all modes as git would today; the tree itself has them as they are.
    expect(await origin.git(['cat-file', 'tree', 'main^{tree}'])).toContain('100664 b.md');
    expect(await origin.git(['diff-tree', '-r', '--name-only', tip, commit.oid])).toBe('b.md\nc.md');
  });

  it('begins a branch that is not there', async () => {
    const commit = await repository.buildCommit(draft(null, write('docs/a.md', 'a')));
    await repository.push(remote, 'refs/heads/docs', commit);
    expect(await origin.git(['ls-tree', '-r', '--name-only', 'docs'])).toBe('docs/a.md');
    expect(commit.parent).toBeNull();
  });

  it('is the same for the same draft, and tells when it would change nothing', async () => {
    await origin.commit({ 'a.md': 'a' });
    const tip = await repository.fetchRef(remote, 'refs/heads/main');
    const [newCommit, two] = [
      await repository.buildCommit(draft(tip, write('a.md', 'b'))),
      await repository.buildCommit(draft(tip, write('a.md', 'b'))),
    ];
    expect(newCommit.oid).toBe(two.oid);
    const same = await repository.buildCommit(draft(tip, write('a.md', 'a')));
    expect(same.tree).toBe(same.baseTree);
  });

  it('never overwrites what others pushed, and reports why a host refuses it', async () => {
    await origin.commit({ 'a.md': 'a' });
    const tip = await repository.fetchRef(remote, 'refs/heads/main');
    const commit = await repository.buildCommit(draft(tip, write('a.md', 'mine')));
    const theirs = await origin.commit({ 'a.md': 'theirs' });
    await expect(repository.push(remote, 'refs/heads/main', commit)).rejects.toMatchObject({
      code: 'ref-moved',
    });
    expect(await origin.git(['rev-parse', 'main'])).toBe(theirs);

    const hook = join(origin.dir, 'hooks/update');
    await writeFile(
      hook,
      '#!/bin/sh\necho "GH006: Protected branch." >&2\necho "- A review is missing." >&2\nexit 1\n',
      { mode: 0o755 },
    );
    const now = await repository.fetchRef(remote, 'refs/heads/main');
    const next = await repository.buildCommit(draft(now, write('a.md', 'next')));
    await expect(repository.push(remote, 'refs/heads/main', next)).rejects.toMatchObject({
      code: 'push-refused',
      message: expect.stringContaining(
        'refused the commit for refs/heads/main: hook declined, “GH006: Protected branch. - A review is missing”. Check',
      ),
    });
  });
});
