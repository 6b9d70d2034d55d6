import type { PlatformDeps } from './deps.ts';
import { gitOperationJob } from './git/git-operation-job.ts';
import { resumeOperations, runOperations } from './git/run-operations.ts';
import { openapiJob } from './openapi/openapi-job.ts';
import { readDueSpec, resumeSpecs } from './openapi/read-due-spec.ts';

/** Begins the work behind the API: git operations, and reading of OpenAPI specifications. What a process before left unfinished goes on. */
export async function startPlatformJobs(deps: PlatformDeps): Promise<void> {
  await deps.queue.work(gitOperationJob, ({ spaceId }, { signal }) => runOperations(deps, spaceId, signal));
  await deps.queue.work(openapiJob, ({ specId }, context) => readDueSpec(deps, specId, context));
  await resumeOperations(deps);
  await resumeSpecs(deps);
}
