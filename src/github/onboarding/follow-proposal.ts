import type { Queue } from '../../queue/index.ts';
import { type Database, loadRepository } from '../../store/index.ts';
import { enqueueLook } from '../webhooks/delivery-job.ts';
import type { PullRequestEvent } from '../webhooks/event-shapes.ts';
import { ONBOARDING_SUBJECT } from './keep-proposal.ts';

/** A pull request was closed: where it proposed the configuration, its end is looked at. */
export async function followProposal(
  deps: { readonly db: Database; readonly queue: Queue },
  { repository, installation, number }: PullRequestEvent,
): Promise<void> {
  const known = await loadRepository(deps.db, repository.id);
  if (known?.onboarding !== 'open' || known.onboardingPull !== number) return;
  await enqueueLook(deps, {
    installationId: installation.id,
    repositoryId: repository.id,
    fullName: repository.full_name,
    subject: ONBOARDING_SUBJECT,
  });
}
