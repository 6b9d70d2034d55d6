import type { Queue } from '../../queue/index.ts';
import type { Db } from '../../store/index.ts';
import { type Octokit, type RepositoryName, readRepository } from '../api/index.ts';

import { enqueueRecheck } from '../webhooks/index.ts';

/** Those that were changed last; older ones follow with their next push. */
const MAX_PAGES = 3;
const PER_PAGE = 100;
/** So many are checked at once; the others follow one after the other, so that what people push gets through. */
const AT_ONCE = 10;
const PAUSE_SECONDS = 3;
/** Of many repositories at once they are more than GitHub takes in hours; whatever comes in meanwhile goes first. */
const BEHIND = -1;

/** A repository, as it was called last. */
interface RepositoryHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
}

/**
 * Lets the open pull requests be looked at: those that were open before the App was there, and all of them when checks get
 * other names. None waits for a check that nobody gives it, and one whose head was judged costs nothing.
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
      await enqueueRecheck(deps, recheck, { startAfter, priority: BEHIND });
    }
    if (data.length < PER_PAGE) break;
  }
}
