import type { ForgeContext } from '../forge-context.ts';
import type { Commit } from '../git/loose-commit.ts';
import type { FileChange } from '../git/read-changes.ts';
import { findAccountByEmail } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';
import { repositoryUrls } from './repository.ts';

const utc = (date: string): string => `${new Date(date).toISOString().slice(0, 19)}Z`;

/** GitHub's `commit`, without its files. */
export function presentRepositoryCommit(context: ForgeContext, repository: RepositoryRecord, commit: Commit) {
  const { html, api } = repositoryUrls(context, repository);
  const account = (email: string): object | null => {
    const found = findAccountByEmail(context.data, email);
    return found ? presentAccount(context, found) : null;
  };
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    commit: {
      author: { ...commit.author, date: utc(commit.author.date) },
      committer: { ...commit.committer, date: utc(commit.committer.date) },
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${html}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: account(commit.author.email),
    committer: account(commit.committer.email),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${html}/commit/${sha}`,
    })),
  };
}

/** GitHub's `diff-entry`: a changed file. `ref` is the commit that the addresses refer to. */
export function presentChange(
  context: ForgeContext,
  repository: RepositoryRecord,
  change: FileChange,
  ref: string,
) {
  const { html, api } = repositoryUrls(context, repository);
  const path = change.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: change.oid,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${html}/blob/${ref}/${path}`,
    raw_url: `${html}/raw/${ref}/${path}`,
    contents_url: `${api}/contents/${path}?ref=${ref}`,
    ...(change.patch !== null && { patch: change.patch }),
    ...(change.previousPath !== null && { previous_filename: change.previousPath }),
  };
}

export function changeStats(changes: readonly FileChange[]) {
  const additions = changes.reduce((sum, change) => sum + change.additions, 0);
  const deletions = changes.reduce((sum, change) => sum + change.deletions, 0);
  return { total: additions + deletions, additions, deletions };
}
