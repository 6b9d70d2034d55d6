import type { GitRemote, GitRepository, RepositoryCache } from '../../git/index.ts';
import { type PullRequest, repositoryCacheId } from '../api/index.ts';

/** Fetches the head into the repository's cache. A fork's head is read from the base repository. */
export async function fetchHead(
  git: RepositoryCache,
  pull: PullRequest,
  remote: GitRemote,
  signal: AbortSignal,
): Promise<GitRepository> {
  const cached = await git.repository(repositoryCacheId(pull.repository));
  const oid = await cached.fetchRef(remote, pull.headRef, { signal });
  if (oid !== pull.headOid) await cached.fetchCommit(remote, pull.headOid, { signal });
  return cached;
}
