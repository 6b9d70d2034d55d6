import type { Queue } from '../../queue/index.ts';
import { type Database, loadRepository } from '../../store/index.ts';
import { specJob } from './spec-job.ts';

/** Enqueues a job when a repository's default branch moved and its configuration names specifications. */
export function watchBranches({ db, queue }: { readonly db: Database; readonly queue: Queue }) {
  return async ({
    repositoryId,
    installationId,
  }: {
    readonly repositoryId: number;
    readonly installationId: number;
  }): Promise<void> => {
    const known = await loadRepository(db, repositoryId);
    if (known?.configText?.includes('openapi') !== true) return;
    await queue.enqueue(db, specJob, { repositoryId, installationId }, { unlessWaiting: true });
  };
}
