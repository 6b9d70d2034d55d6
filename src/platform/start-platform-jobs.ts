import { followJob } from './comments/follow-job.ts';
import { followPages } from './comments/follow-pages.ts';

import { clusterJob, conversationJob } from './conversations/conversation-jobs.ts';
import { groupIssues } from './conversations/group-issues.ts';
import { processConversations, resumeConversations } from './conversations/process-conversations.ts';
import type { PlatformDeps } from './deps.ts';
import { gitOperationJob } from './git/git-operation-job.ts';
import { resumeOperations, runOperations } from './git/run-operations.ts';
import { openapiJob } from './openapi/openapi-job.ts';
import { readDueSpec, resumeSpecs } from './openapi/read-due-spec.ts';
import { createProviderHttp } from './translations/providers/choose-provider.ts';
import { resumeTranslations, runTranslation } from './translations/run-translation.ts';
import { translateBatch } from './translations/translate-batch.ts';
import { batchJob, translationJob } from './translations/translation-jobs.ts';

/**
 * Starts the background work of the API: git operations, reading of OpenAPI specifications, translations,
 * conversations. Work that an
 * earlier process did not finish is resumed.
 */
export async function startPlatformJobs(deps: PlatformDeps): Promise<void> {
  await deps.queue.work(gitOperationJob, ({ spaceId }, { signal }) => runOperations(deps, spaceId, signal));
  await deps.queue.work(openapiJob, ({ specId }, context) => readDueSpec(deps, specId, context));
  const http = createProviderHttp(deps.translators);
  await deps.queue.work(translationJob, ({ translationId }, context) =>
    runTranslation(deps, { translationId, http }, context),
  );
  await deps.queue.work(batchJob, (payload, context) => translateBatch(deps, payload, { http, ...context }));
  await deps.queue.work(followJob, ({ spaceId }, { signal }) => followPages(deps, spaceId, signal));
  await deps.queue.work(conversationJob, ({ organizationId }, context) =>
    processConversations(deps, organizationId, context),
  );
  await deps.queue.work(clusterJob, ({ organizationId }, context) =>
    groupIssues(deps, organizationId, context),
  );
  await resumeOperations(deps);
  await resumeSpecs(deps);
  await resumeTranslations(deps);
  await resumeConversations(deps);
}
