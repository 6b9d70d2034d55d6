import type { Static } from 'typebox';
import type { JobContext } from '../queue/index.ts';
import type { AppAccess } from './create-probot.ts';
import { explainError } from './explain-error.ts';
import type { Octokit } from './octokit.ts';
import { ONBOARDING_SUBJECT, type OnboardingHint } from './onboarding/keep-proposal.ts';
import type { FixWish } from './pull-request/fix-pull.ts';
import { PULLS_SUBJECT } from './pull-request/look-at-pulls.ts';
import type { PullHint } from './pull-request/read-pull-request.ts';
import { branchOf } from './push/handle-push.ts';
import type { BranchHint } from './push/sync-branch.ts';
import { splitName } from './repository.ts';
import type { deliveryJob } from './webhooks/delivery-job.ts';

/** The same work that an event of a branch or a pull request leads to. */
export interface LookRunners {
  branch(hint: BranchHint, octokit: Octokit, run: JobContext): Promise<void>;
  pull(hint: PullHint, octokit: Octokit, run: JobContext): Promise<void>;
  fix(hint: PullHint, wish: FixWish, octokit: Octokit, run: JobContext): Promise<void>;
  onboarding(hint: OnboardingHint, octokit: Octokit, run: JobContext): Promise<void>;
  /** All open pull requests of a repository. */
  pulls(hint: OnboardingHint, octokit: Octokit): Promise<void>;
  /** Whether an installation has the repository no more, as far as we were told. */
  isCutOff(place: Pick<PullHint, 'repositoryId' | 'installationId'>): Promise<boolean>;
}

/** Runs a job that has no delivery: looks at a branch or a pull request as it is now. */
export async function runLook(
  runners: LookRunners,
  access: AppAccess,
  { look, repositoryId, subject }: Static<typeof deliveryJob.payload>,
  run: JobContext,
): Promise<void> {
  if (look === undefined || repositoryId === null) return;
  const hint = { installationId: look.installationId, repositoryId, name: splitName(look.fullName) };
  const branch = branchOf(subject);
  try {
    const octokit = await access.on(look.installationId, run);
    if (branch !== null) await runners.branch({ ...hint, branch, at: null }, octokit, run);
    else if (subject === ONBOARDING_SUBJECT) await runners.onboarding(hint, octokit, run);
    else if (subject === PULLS_SUBJECT) await runners.pulls(hint, octokit);
    else {
      const number = Number(subject.slice('pull/'.length));
      if (look.fix !== undefined) return await runners.fix({ ...hint, number }, look.fix, octokit, run);
      const { rerun: delivery, rerunOf: checkRunId = null } = look;
      const rerun = delivery === undefined ? {} : { rerun: { delivery, checkRunId } };
      await runners.pull({ ...hint, number, ...rerun }, octokit, run);
    }
  } catch (error) {
    // All of it is looked at when it is back; of a large installation that is suspended, thousands would fail here.
    if (!run.signal.aborted && (await runners.isCutOff(hint))) return;
    throw new Error(explainError(error), { cause: error });
  }
}
