import type { ReadBlobs, Rename, TreeEntry } from '../../content/index.ts';
import { CatFile, localEnvironment } from '../../git/index.ts';
import { UsageError } from '../command.ts';
import { renamesSince } from './renames-since.ts';
import { type GitRun, runLocalGit } from './run-git.ts';

/** The tree that a work tree is compared with. */
export interface BaseTree {
  /** The commit: the merge base of the revision and HEAD, or the revision where the two share no history. */
  readonly commit: string;
  /** The branch that the revision names, without the remote's name; null when it names none. */
  readonly branch: string | null;
  readonly entries: readonly TreeEntry[];
  /** Renames that git finds between this tree and its index. */
  readonly renames: readonly Rename[];
  readonly read: ReadBlobs;
  close(): void;
}

/** Opens the merge base of `revision` and HEAD. Throws `UsageError` when it cannot be found. */
export async function openBaseTree(root: string, revision: string, signal: AbortSignal): Promise<BaseTree> {
  const { commit, branch, gitDir } = await findBase(root, revision, signal);
  const [listed, renames] = await Promise.all([
    runLocalGit(root, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit], signal),
    renamesSince(root, commit, signal),
  ]);
  if (listed.code !== 0) throw await explainUnlisted(root, revision, listed.stderr, signal);
  const objects = new CatFile({ gitPath: 'git', env: localEnvironment(gitDir) });
  return {
    commit,
    branch,
    entries: readEntries(listed.stdout),
    renames,
    async *read(entries) {
      for await (const object of objects.read(entries.map((entry) => entry.oid))) {
        if (object !== null) yield { oid: object.oid, bytes: object.bytes };
      }
    },
    close: () => objects.close(),
  };
}

async function findBase(root: string, revision: string, signal: AbortSignal) {
  const git = (...args: string[]) => runLocalGit(root, args, signal);
  const found = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  const wanted = found.stdout.trim();
  if (found.code !== 0 || !/^[0-9a-f]{40,64}$/.test(wanted)) throw await explainUnknown(revision, git);
  const [facts, named, merged] = await Promise.all([
    git('rev-parse', '--absolute-git-dir', '--is-shallow-repository'),
    git('rev-parse', '--symbolic-full-name', '--end-of-options', revision),
    git('merge-base', wanted, 'HEAD'),
  ]);
  const [gitDir = '', isShallow] = facts.stdout.split(/\r?\n/);
  const branch = /^refs\/(?:heads|remotes\/origin)\/(.+)$/m.exec(named.stdout)?.[1] ?? null;
  if (merged.code === 0) return { commit: merged.stdout.trim(), branch, gitDir };
  if (isShallow === 'true') {
    throw new UsageError(
      `--base: the history here is too short to contain the commit at which ${revision} and HEAD parted. Fetch more of it (\`git fetch --unshallow\`; for actions/checkout: \`fetch-depth: 0\`).`,
    );
  }
  // Two histories without a common commit: then the revision itself is the base.
  return { commit: wanted, branch, gitDir };
}

/** Explains why git knows no such commit, and what to do. */
async function explainUnknown(revision: string, git: (...args: string[]) => Promise<GitRun>) {
  const [head, shallow] = await Promise.all([
    git('rev-parse', '--verify', '--quiet', 'HEAD'),
    git('rev-parse', '--is-shallow-repository'),
  ]);
  if (head.code !== 0) {
    return new UsageError(
      `--base: the repository has no commit yet to measure against. Check without --base.`,
    );
  }
  const remedy =
    shallow.stdout.trim() === 'true'
      ? 'The history here is cut short: fetch more of it (`git fetch --unshallow origin`; for actions/checkout: `fetch-depth: 0`).'
      : 'Fetch it first, for example with `git fetch origin`, or name another commit or branch.';
  return new UsageError(`--base: git knows no commit ${revision} here. ${remedy}`);
}

async function explainUnlisted(root: string, revision: string, stderr: string, signal: AbortSignal) {
  const partial = await runLocalGit(root, ['config', '--get-regexp', '^remote\\..*\\.promisor$'], signal);
  if (partial.code !== 0) return new UsageError(`--base: git cannot list ${revision}: ${lastLine(stderr)}`);
  return new UsageError(
    `--base: this is a partial clone, which lacks files of ${revision}. Fetch them (\`git fetch --refetch --no-filter\`; for actions/checkout: no \`filter\`).`,
  );
}

const MODES: Readonly<Record<string, TreeEntry['mode']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

/** A record is `mode type oid size`, a tab and the path. */
function readEntries(output: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const record of output.split('\0')) {
    const tab = record.indexOf('\t');
    if (tab === -1) continue;
    const [mode = '', , oid = '', size = '-'] = record.slice(0, tab).split(/ +/);
    entries.push({
      path: record.slice(tab + 1),
      oid,
      mode: MODES[mode] ?? 'file',
      ...(size === '-' ? {} : { size: Number(size) }),
    });
  }
  return entries;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
