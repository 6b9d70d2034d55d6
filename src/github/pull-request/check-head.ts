import type { JobContext } from '../../queue/index.ts';
import { listBindings, loadRepository } from '../../store/index.ts';
import type { Octokit, PullHint, PullRequest } from '../api/index.ts';

import { configInForce } from '../repository/index.ts';
import { checkLinks } from './check-links.ts';
import type { PullRequestDeps } from './deps.ts';
import { planRuns } from './plan-runs.ts';
import { previewJob } from './preview-job.ts';
import { reconcileCheckRuns } from './reconcile-check-runs.ts';

/** Checks the links of one head and completes its check runs. Does nothing when they are complete under these names. */
export async function checkHead(
  deps: PullRequestDeps,
  pull: PullRequest,
  { installationId, rerun }: PullHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const { repository } = pull;
  const inForce = configInForce(await loadRepository(deps.db, repository.id));
  const planned = planRuns({
    repositoryName: repository.name,
    defaultBranch: repository.defaultBranch,
    baseBranch: pull.baseBranch,
    inForce,
    bound: (await listBindings(deps.db, repository.id)).filter(({ disconnected }) => disconnected === null),
  });
  await reconcileCheckRuns(deps, {
    kind: 'links',
    pull,
    installationId,
    octokit,
    run,
    rerun,
    planned,
    async check({ id: reportId, url: reportUrl }) {
      const { outcomes, previewed } = await checkLinks(deps, pull, {
        octokit,
        installationId,
        reportId,
        reportUrl,
        inForce,
        planned,
        run,
      });
      if (previewed.length === 0) return { outcomes };
      return {
        outcomes,
        // A second job for the same previews finds them done.
        enqueueFollowing: (db) =>
          deps.queue.enqueue(db, previewJob, {
            installationId,
            repositoryId: repository.id,
            fullName: repository.fullName,
            number: pull.number,
            headOid: pull.headOid,
            reportId,
            bindingIds: previewed.map(({ id }) => id),
          }),
      };
    },
  });
}
