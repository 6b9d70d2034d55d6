import type { Queue } from '../../queue/index.ts';
import type { Db } from '../../store/index.ts';
import { type Octokit, type RepositoryName, readRepository } from '../api/index.ts';

import { enqueueRecheck } from '../webhooks/index.ts';

/** Only the most recently changed ones; older ones are checked at their next push. */
const MAX_PAGES = 3;
const PER_PAGE = 100;
/** This many are checked at once; the rest one after another, so that pushes are not delayed. */
const AT_ONCE = 10;
const PAUSE_SECONDS = 3;
/** Many repositories together have more checks than GitHub accepts in hours; events that arrive meanwhile go first. */
const LOW_PRIORITY = -1;

/** A repository by its last known name. */
interface RepositoryHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
}

/**
 * Enqueues rechecks of all open pull requests, after the App was installed or checks were renamed, so that none waits for a
 * check that never comes. A head that was already checked costs nothing.
 */
export async function recheckPullRequests(
  deps: { readonly db: Db; readonly queue: Queue },
  hint: RepositoryHint,
  octokit: Octokit,
): Promise<void> {
  const { installationId, repositoryId } = hint;
  const repository = await readRepository(octokit, hint.name);
  if (repository === null || repository.id !== repositoryId || repository.archived) return;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await octokit.rest.pulls.list({
      owner: repository.owner,
      repo: repository.name,
      state: 'open',
      sort: 'updated',
      direction: 'desc',
      per_page: PER_PAGE,
      page,
    });
    for (const [index, { number }] of data.entries()) {
      const position = (page - 1) * PER_PAGE + index;
      const { fullName } = repository;
      const recheck = { kind: 'pull-request', installationId, repositoryId, fullName, number } as const;
      const startAfter = Math.max(0, position - AT_ONCE + 1) * PAUSE_SECONDS;
      await enqueueRecheck(deps, recheck, { startAfter, priority: LOW_PRIORITY });
    }
    if (data.length < PER_PAGE) break;
  }
}
