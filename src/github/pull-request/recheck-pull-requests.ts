import type { Queue } from '../../queue/index.ts';
import type { Db } from '../../store/index.ts';
import { type Octokit, type RepositoryName, readRepository } from '../api/index.ts';

import { enqueueRecheck } from '../webhooks/index.ts';

/** Only the most recently changed ones; older ones are checked at their next push. */
const MAX_PAGES = 3;
const PER_PAGE = 100;
/** This many are checked at once; the others one after the other, so that pushes are not delayed. */
const AT_ONCE = 10;
const PAUSE_SECONDS = 3;
/** Many repositories at once have more than GitHub accepts in hours; events that arrive meanwhile go first. */
const LOW_PRIORITY = -1;

/** A repository by its last known name. */
interface RepositoryHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
}

/**
 * Enqueues rechecks of the open pull requests: of those that were open before the App was installed, and of all when checks
 * are renamed. So none waits for a check that never comes; one whose head was checked costs nothing.
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
      const before = (page - 1) * PER_PAGE + index;
      const { fullName } = repository;
      const recheck = { kind: 'pull-request', installationId, repositoryId, fullName, number } as const;
      const startAfter = Math.max(0, before - AT_ONCE + 1) * PAUSE_SECONDS;
      await enqueueRecheck(deps, recheck, { startAfter, priority: LOW_PRIORITY });
    }
    if (data.length < PER_PAGE) break;
  }
}
