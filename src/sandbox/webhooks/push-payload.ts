import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { ZERO_OID } from '../git/bare-repository.ts';
import type { Commit } from '../git/loose-commit.ts';
import { listTouchedPaths } from '../git/read-changes.ts';
import { isAncestor, listCommits, loadCommit, peelToCommit } from '../git/read-commits.ts';
import { presentAccount } from '../present/account.ts';
import { presentRepository, repositoryUrls } from '../present/repository.ts';
import { findAccountByEmail } from '../state/find-records.ts';
import type { AccountRecord, RepositoryRecord } from '../state/records.ts';

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#push: GitHub lists no more commits. */
const MAX_COMMITS = 2048;

export interface RefChange {
  /** Full name, `refs/heads/main`. */
  readonly ref: string;
  /** Null for a new ref. */
  readonly before: string | null;
  /** Null for a deleted ref. */
  readonly after: string | null;
}

/** The fields of the `push` event of a changed ref. `knownBefore` are the tips of all refs before the push. */
export async function pushPayload(
  context: ForgeContext,
  repository: RepositoryRecord,
  change: RefChange,
  knownBefore: readonly string[],
  pusher: AccountRecord,
): Promise<object> {
  const gitDir = gitDirOf(context, repository.id);
  const { owner, html } = repositoryUrls(context, repository);
  const branch = change.ref.startsWith('refs/heads/');
  // A branch always points at a commit; a tag may point at anything.
  const tip = change.after === null || branch ? change.after : await peelToCommit(gitDir, change.after);
  const commits =
    tip && branch
      ? await listCommits(gitDir, {
          include: [tip],
          exclude: change.before ? [change.before] : knownBefore,
          limit: MAX_COMMITS,
        })
      : [];
  const newest = commits[0];
  const head = tip === null ? null : newest?.sha === tip ? newest : await loadCommit(gitDir, tip);
  const touched = await listTouchedPaths(gitDir, [
    ...commits.map((candidate) => candidate.sha),
    ...(head ? [head.sha] : []),
  ]);
  const known = new Set(knownBefore);
  const present = (commit: Commit): object => ({
    id: commit.sha,
    tree_id: commit.tree,
    distinct: !known.has(commit.sha),
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${html}/commit/${commit.sha}`,
    author: presentPerson(context, commit.author),
    committer: presentPerson(context, commit.committer),
    ...(touched.get(commit.sha) ?? { added: [], removed: [], modified: [] }),
  });
  return {
    ref: change.ref,
    before: change.before ?? ZERO_OID,
    after: change.after ?? ZERO_OID,
    created: change.before === null,
    deleted: change.after === null,
    forced:
      change.before !== null && change.after !== null && branch
        ? !(await isAncestor(gitDir, change.before, change.after))
        : false,
    base_ref: null,
    compare: compareUrl(html, change),
    commits: commits.reverse().map(present),
    head_commit: head ? present(head) : null,
    pusher: { name: pusher.login, email: pusher.email },
    // A push has its times in seconds, and a few more keys than other events.
    repository: {
      ...presentRepository(context, repository),
      owner: { name: owner.login, email: owner.email, ...presentAccount(context, owner) },
      url: html,
      created_at: seconds(repository.createdAt),
      pushed_at: seconds(repository.pushedAt ?? repository.createdAt),
      stargazers: 0,
      master_branch: repository.defaultBranch,
    },
  };
}

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

function compareUrl(html: string, { ref, before, after }: RefChange): string {
  if (before && after) return `${html}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`;
  return after
    ? `${html}/compare/${ref.replace(/^refs\/(heads|tags)\//, '')}`
    : `${html}/compare/${before?.slice(0, 12)}...${ZERO_OID.slice(0, 12)}`;
}

function presentPerson(context: ForgeContext, person: Commit['author']) {
  const account = findAccountByEmail(context.data, person.email);
  return {
    name: person.name,
    email: person.email,
    date: person.date,
    ...(account && { username: account.login }),
  };
}
