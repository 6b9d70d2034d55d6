import type { Queue } from '../../queue/index.ts';
import { type Database, loadRepository } from '../../store/index.ts';
import { enqueueRecheck, type PullRequestEvent } from '../webhooks/index.ts';

/** A pull request was closed: if it proposed the configuration, the proposal is rechecked. */
export async function handleClosedProposal(
  deps: { readonly db: Database; readonly queue: Queue },
  { repository, installation, number }: PullRequestEvent,
): Promise<void> {
  const known = await loadRepository(deps.db, repository.id);
  if (known?.onboarding !== 'open' || known.onboardingPull !== number) return;
  await enqueueRecheck(deps, {
    installationId: installation.id,
    repositoryId: repository.id,
    fullName: repository.full_name,
    kind: 'onboarding',
  });
}
