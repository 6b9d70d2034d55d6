import type { PlatformDeps } from './deps.ts';
import { gitOperationJob } from './git/git-operation-job.ts';
import { resumeOperations, runOperations } from './git/run-operations.ts';

/** Begins the work behind the API: git operations. What a process before left unfinished goes on. */
export async function startPlatformJobs(deps: PlatformDeps): Promise<void> {
  await deps.queue.work(gitOperationJob, ({ spaceId }, { signal }) => runOperations(deps, spaceId, signal));
  await resumeOperations(deps);
}
