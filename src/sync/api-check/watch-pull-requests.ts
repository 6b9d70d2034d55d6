import type { SeenPullRequest } from '../../github/index.ts';
import type { Queue } from '../../queue/index.ts';
import { type Database, hasReport, loadRepository } from '../../store/index.ts';
import { apiCheckJob } from './api-check-job.ts';

/**
 * Enqueues a job for a pull request that may touch a specification: when the configuration in force names one, or the pull
 * request changes the configuration, or had a check.
 */
export function watchPullRequests({ db, queue }: { readonly db: Database; readonly queue: Queue }) {
  return async ({
    repositoryId,
    installationId,
    number,
    changesConfig,
    rerun,
  }: SeenPullRequest): Promise<void> => {
    const known = await loadRepository(db, repositoryId);
    const isNamed = changesConfig || known?.configText?.includes('openapi') === true;
    if (!isNamed && !(await hasReport(db, { repositoryId, pullNumber: number, kind: 'api' }))) return;
    const payload = { repositoryId, installationId, number };
    if (rerun === undefined) await queue.enqueue(db, apiCheckJob, payload, { unlessWaiting: true });
    else await queue.enqueue(db, apiCheckJob, { ...payload, rerun });
  };
}
