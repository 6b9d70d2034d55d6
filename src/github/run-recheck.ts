import type { JobContext } from '../queue/index.ts';
import { type AppAccess, explainError, type Octokit, type PullHint, splitName } from './api/index.ts';

import type { OnboardingHint } from './onboarding/index.ts';
import type { BranchHint } from './push/index.ts';
import type { FixRequest, Recheck } from './webhooks/index.ts';

/** The work of each kind of recheck: the same as that of the events of a branch or a pull request. */
export interface RecheckRunners {
  branch(hint: BranchHint, octokit: Octokit, run: JobContext): Promise<void>;
  pullRequest(hint: PullHint, octokit: Octokit, run: JobContext): Promise<void>;
  fix(hint: PullHint, request: FixRequest, octokit: Octokit, run: JobContext): Promise<void>;
  onboarding(hint: OnboardingHint, octokit: Octokit, run: JobContext): Promise<void>;
  /** All open pull requests of a repository. */
  pullRequests(hint: OnboardingHint, octokit: Octokit): Promise<void>;
  /** Whether the installation has lost access to the repository, as far as events have reported. */
  isCutOff(repository: Pick<PullHint, 'repositoryId' | 'installationId'>): Promise<boolean>;
}

/** Runs a job without a delivery: syncs with the current state of a branch or a pull request. */
export async function runRecheck(
  runners: RecheckRunners,
  access: AppAccess,
  recheck: Recheck,
  run: JobContext,
): Promise<void> {
  const { installationId, repositoryId, fullName } = recheck;
  const hint = { installationId, repositoryId, name: splitName(fullName) };
  try {
    await start(await access.on(installationId, run));
  } catch (error) {
    // Everything is rechecked when access returns; of a large suspended installation thousands of jobs would fail here.
    if (!run.signal.aborted && (await runners.isCutOff(hint))) return;
    throw new Error(explainError(error), { cause: error });
  }

  async function start(octokit: Octokit): Promise<void> {
    switch (recheck.kind) {
      case 'branch':
        return await runners.branch(
          { ...hint, branch: recheck.branch, pushedOid: null, at: null },
          octokit,
          run,
        );
      case 'pull-request': {
        const rerun = recheck.rerun === undefined ? {} : { rerun: recheck.rerun };
        return await runners.pullRequest({ ...hint, number: recheck.number, ...rerun }, octokit, run);
      }
      case 'pull-requests':
        return await runners.pullRequests(hint, octokit);
      case 'fix':
        return await runners.fix({ ...hint, number: recheck.number }, recheck.request, octokit, run);
      case 'onboarding':
        return await runners.onboarding(hint, octokit, run);
    }
  }
}
