import { askGit } from './ask-git.ts';

export interface CommitPerson {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with the author's own offset. */
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: CommitPerson;
  readonly committer: CommitPerson;
  readonly message: string;
}

const FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%n');

function parseCommit(text: string): Commit {
  const [
    sha = '',
    tree = '',
    parents = '',
    an = '',
    ae = '',
    ad = '',
    cn = '',
    ce = '',
    cd = '',
    ...message
  ] = text.split('\n');
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author: { name: an, email: ae, date: ad },
    committer: { name: cn, email: ce, date: cd },
    message: message.join('\n').replace(/\n+$/, ''),
  };
}

export interface CommitRange {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly skip?: number;
  readonly limit: number;
  /** Only commits that changed this path. */
  readonly path?: string;
}

/** Commits reachable from `include` and not from `exclude` (oids), newest first. */
export async function listCommits(gitDir: string, range: CommitRange): Promise<Commit[]> {
  const revisions = [...range.include, ...(range.exclude ?? []).map((oid) => `^${oid}`)].join('\n');
  const { stdout } = await askGit(
    gitDir,
    [
      'log',
      '-z',
      '--topo-order',
      `--format=${FORMAT}`,
      `--max-count=${range.limit}`,
      `--skip=${range.skip ?? 0}`,
      '--stdin',
      ...(range.path ? ['--', range.path] : []),
    ],
    [...range.include, ...(range.exclude ?? [])],
    { input: `${revisions}\n`, env: { GIT_LITERAL_PATHSPECS: '1' } },
  );
  return stdout
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((text) => parseCommit(text));
}

export async function countCommits(gitDir: string, range: Omit<CommitRange, 'limit'>): Promise<number> {
  const revisions = [...range.include, ...(range.exclude ?? []).map((oid) => `^${oid}`)].join('\n');
  const { stdout } = await askGit(
    gitDir,
    ['rev-list', '--count', '--stdin', ...(range.path ? ['--', range.path] : [])],
    [...range.include, ...(range.exclude ?? [])],
    { input: `${revisions}\n`, env: { GIT_LITERAL_PATHSPECS: '1' } },
  );
  return Number(stdout.toString());
}

/** Throws when there is no such commit. */
export async function readCommit(gitDir: string, oid: string): Promise<Commit> {
  const [commit] = await listCommits(gitDir, { include: [oid], limit: 1 });
  if (!commit) throw new Error(`There is no commit ${oid}.`);
  return commit;
}

/** The best common ancestor, or null for unrelated histories. */
export async function mergeBase(gitDir: string, a: string, b: string): Promise<string | null> {
  const { stdout, exitCode } = await askGit(gitDir, ['merge-base', a, b], [a, b], { expect: [0, 1] });
  return exitCode === 0 ? stdout.toString().trim() : null;
}

export async function isAncestor(gitDir: string, ancestor: string, descendant: string): Promise<boolean> {
  const { exitCode } = await askGit(
    gitDir,
    ['merge-base', '--is-ancestor', ancestor, descendant],
    [ancestor, descendant],
    { expect: [0, 1] },
  );
  return exitCode === 0;
}

/** The commit that an oid (4 to 40 hexadecimal digits) names, tags peeled, or null. */
export async function peelToCommit(gitDir: string, oid: string): Promise<string | null> {
  const { stdout, exitCode } = await askGit(
    gitDir,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${oid}^{commit}`],
    [oid],
    { expect: [0, 1, 128] },
  );
  const text = stdout.toString().trim();
  // rev-parse repeats --end-of-options in some versions of git.
  return exitCode === 0 ? (text.split('\n').at(-1) ?? null) : null;
}
