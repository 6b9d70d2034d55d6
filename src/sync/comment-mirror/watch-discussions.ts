import type { DiscussedPull } from '../../github/index.ts';
import type { Queue } from '../../queue/index.ts';
import {
  type Database,
  type Db,
  listOpenPulls,
  listPullChangeRequests,
  loadRepository,
} from '../../store/index.ts';
import { mirrorJob } from './mirror-job.ts';
import { wantsMirror } from './wants-mirror.ts';

/** Enqueues a job for each pull request that carries a change request about which something was said here. */
export function watchDiscussions({ queue }: { readonly queue: Queue }) {
  return async (tx: Db, changeRequestId: string): Promise<void> => {
    for (const { repositoryId, pullNumber } of await listOpenPulls(tx, changeRequestId)) {
      await enqueueMirror({ db: tx, queue }, repositoryId, pullNumber);
    }
  };
}

/** Enqueues a job when something was said on GitHub, on a pull request that carries change requests. It calls nobody. */
export function watchPullDiscussions({ db, queue }: { readonly db: Database; readonly queue: Queue }) {
  return async ({ repositoryId, number }: DiscussedPull): Promise<void> => {
    const carried = await listPullChangeRequests(db, { repositoryId, pullNumber: number });
    if (carried.length > 0) await enqueueMirror({ db, queue }, repositoryId, number);
  };
}

/** Enqueues the job of a pull request where comments are mirrored. */
export async function enqueueMirror(
  { db, queue }: { readonly db: Db; readonly queue: Queue },
  repositoryId: number,
  number: number,
): Promise<void> {
  const known = await loadRepository(db, repositoryId);
  if (!wantsMirror(known)) return;
  const { installationId } = known;
  await queue.enqueue(db, mirrorJob, { repositoryId, installationId, number }, { unlessWaiting: true });
}
