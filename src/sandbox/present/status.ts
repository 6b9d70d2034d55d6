import type { ForgeContext } from '../forge-context.ts';
import { accountById } from '../state/find-records.ts';
import type { RepositoryRecord, StatusRecord, StatusState } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';
import { presentRepository, repositoryUrls } from './repository.ts';

/** GitHub's `status`. */
export function presentStatus(context: ForgeContext, repository: RepositoryRecord, status: StatusRecord) {
  const creator = accountById(context.data, status.creatorId);
  return {
    url: `${repositoryUrls(context, repository).api}/statuses/${status.sha}`,
    avatar_url: `${context.url}/avatars/${creator.id}`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: presentAccount(context, creator),
  };
}

/** All statuses of a commit, newest first. */
export function statusesOf(
  context: Pick<ForgeContext, 'data'>,
  repository: RepositoryRecord,
  sha: string,
): StatusRecord[] {
  return context.data.statuses
    .filter((candidate) => candidate.repositoryId === repository.id && candidate.sha === sha)
    .reverse();
}

/** The newest status of each context of a commit. */
export function latestStatuses(
  context: Pick<ForgeContext, 'data'>,
  repository: RepositoryRecord,
  sha: string,
): StatusRecord[] {
  const seen = new Set<string>();
  return statusesOf(context, repository, sha).filter(
    (candidate) => !seen.has(candidate.context) && seen.add(candidate.context),
  );
}

/** GitHub's rule: any error or failure is a failure, nothing or anything pending is pending. */
export function combineStates(states: readonly StatusState[]): 'failure' | 'pending' | 'success' {
  if (states.some((state) => state === 'error' || state === 'failure')) return 'failure';
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success';
}

/** GitHub's `combined-commit-status`; `page` selects a part of the latest statuses. */
export function presentCombinedStatus(
  context: ForgeContext,
  repository: RepositoryRecord,
  sha: string,
  page: { readonly skip: number; readonly perPage: number },
) {
  const latest = latestStatuses(context, repository, sha);
  const { api } = repositoryUrls(context, repository);
  return {
    state: combineStates(latest.map((status) => status.state)),
    statuses: latest.slice(page.skip, page.skip + page.perPage).map((status) => {
      const { creator: _creator, ...simple } = presentStatus(context, repository, status);
      return simple;
    }),
    sha,
    total_count: latest.length,
    repository: presentRepository(context, repository),
    commit_url: `${api}/commits/${sha}`,
    url: `${api}/commits/${sha}/status`,
  };
}
