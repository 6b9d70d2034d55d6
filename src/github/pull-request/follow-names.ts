import { isDeepStrictEqual } from 'node:util';
import type { Queue } from '../../queue/queue.ts';
import type { Db } from '../../store/db.ts';
import type { Octokit } from '../octokit.ts';
import type { ConfigInForce } from '../push/config-in-force.ts';
import { type Repository, type RepositoryName, readRepository } from '../repository.ts';
import type { GoodConfig } from '../repository-config.ts';
import { enqueueLook } from '../webhooks/delivery-job.ts';
import { planRuns } from './plan-runs.ts';

/** The subject of the job that looks at all open pull requests of a repository. */
export const PULLS_SUBJECT = 'pulls';

/** Those that were changed last; older ones follow with their next push. */
const MAX_PAGES = 3;
const PER_PAGE = 100;

/** Whether pull requests get check runs of other names by a configuration than by the one before it. */
export function renamesChecks(repository: Repository, { before, ...after }: ConfigInForce): boolean {
  const namesBy = (inForce: GoodConfig) =>
    planRuns({
      repositoryName: repository.name,
      defaultBranch: repository.defaultBranch,
      baseBranch: repository.defaultBranch,
      inForce,
      bound: [],
    });
  if (before === null) return false;
  return (
    before.config.checks.runs !== after.config.checks.runs ||
    !isDeepStrictEqual(namesBy(before), namesBy(after))
  );
}

/** A repository, as it was called last. */
interface RepositoryHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
}

/** Lets the open pull requests be looked at, so that none waits for a check of a name that nobody gives it. */
export async function lookAtPulls(
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
    for (const { number } of data) {
      await enqueueLook(deps, {
        installationId,
        repositoryId,
        fullName: repository.fullName,
        subject: `pull/${number}`,
      });
    }
    if (data.length < PER_PAGE) break;
  }
}
