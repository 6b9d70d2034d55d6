import { type Commit, readLinearHistory, readLooseCommit } from './loose-commit.ts';
import { readLooseObject } from './loose-object.ts';
import { queryGit } from './query-git.ts';

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
  const commits = await readLinearRange(gitDir, range);
  const skip = range.skip ?? 0;
  if (commits !== null) return commits.slice(skip, skip + range.limit);
  const revisions = [...range.include, ...(range.exclude ?? []).map((oid) => `^${oid}`)].join('\n');
  const { stdout } = await queryGit(
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

/** The commits of a range with a linear history, read without git; null for any other range. */
async function readLinearRange(
  gitDir: string,
  { include, exclude = [], path }: Omit<CommitRange, 'limit'>,
): Promise<Commit[] | null> {
  const [tip, ...otherTips] = include;
  if (tip === undefined || otherTips.length > 0 || exclude.length > 1 || path) return null;
  const [end = null] = exclude;
  const commits = await readLinearHistory(gitDir, tip, end);
  // The excluded commit may be a descendant of the tip: then the range is empty.
  return commits ?? (end !== null && (await readLinearHistory(gitDir, end, tip)) ? [] : null);
}

export async function countCommits(gitDir: string, range: Omit<CommitRange, 'limit'>): Promise<number> {
  const commits = await readLinearRange(gitDir, range);
  if (commits !== null) return commits.length;
  const revisions = [...range.include, ...(range.exclude ?? []).map((oid) => `^${oid}`)].join('\n');
  const { stdout } = await queryGit(
    gitDir,
    ['rev-list', '--count', '--stdin', ...(range.path ? ['--', range.path] : [])],
    [...range.include, ...(range.exclude ?? [])],
    { input: `${revisions}\n`, env: { GIT_LITERAL_PATHSPECS: '1' } },
  );
  return Number(stdout.toString());
}

/** Throws when there is no such commit. */
export async function loadCommit(gitDir: string, oid: string): Promise<Commit> {
  const loose = await readLooseCommit(gitDir, oid);
  if (loose) return loose;
  const [commit] = await listCommits(gitDir, { include: [oid], limit: 1 });
  if (!commit) throw new Error(`There is no commit ${oid}.`);
  return commit;
}

/** The best common ancestor, or null for unrelated histories. */
export async function findMergeBase(gitDir: string, a: string, b: string): Promise<string | null> {
  if (await readLinearHistory(gitDir, b, a)) return a;
  if (await readLinearHistory(gitDir, a, b)) return b;
  const { stdout, exitCode } = await queryGit(gitDir, ['merge-base', a, b], [a, b], { expect: [0, 1] });
  return exitCode === 0 ? stdout.toString().trim() : null;
}

export async function isAncestor(gitDir: string, ancestor: string, descendant: string): Promise<boolean> {
  if (await readLinearHistory(gitDir, descendant, ancestor)) return true;
  const { exitCode } = await queryGit(
    gitDir,
    ['merge-base', '--is-ancestor', ancestor, descendant],
    [ancestor, descendant],
    { expect: [0, 1] },
  );
  return exitCode === 0;
}

/** The commit that an oid (4 to 40 hexadecimal digits) names, tags peeled, or null. */
export async function peelToCommit(gitDir: string, oid: string): Promise<string | null> {
  if ((await readLooseObject(gitDir, oid))?.type === 'commit') return oid;
  const { stdout, exitCode } = await queryGit(
    gitDir,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${oid}^{commit}`],
    [oid],
    { expect: [0, 1, 128] },
  );
  const text = stdout.toString().trim();
  // rev-parse repeats --end-of-options in some versions of git.
  return exitCode === 0 ? (text.split('\n').at(-1) ?? null) : null;
}
