import type pg from 'pg';
import { type ListedJob, listJobsAbout } from '../../queue/index.ts';
import { deliveryJob } from './delivery-job.ts';

/** The work on these repositories' branches and pull requests that has not ended well, by repository. */
export async function listDeliveryJobs(
  pool: pg.Pool,
  repositoryIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ListedJob[]>> {
  const jobs = await listJobsAbout(pool, deliveryJob.name, 'repositoryId', repositoryIds);
  return Map.groupBy(jobs, ({ payload }) => (payload as { readonly repositoryId: number }).repositoryId);
}
