/**
 * The scheduler: exports from spaces to their repositories, and recurring checks. Each folder is a kind of scheduled work
 * with the same files: `*-job.ts` declares its jobs, `schedule-*.ts` or `watch-*.ts` enqueues them according to the
 * configurations or on events, and a file named after the work runs it.
 */
import { apiCheckJob } from './api-check/api-check-job.ts';
import { checkApi } from './api-check/check-api.ts';
import { mirrorComments } from './comment-mirror/mirror-comments.ts';
import { mirrorJob } from './comment-mirror/mirror-job.ts';
import { scheduleMirrors } from './comment-mirror/schedule-mirrors.ts';
import { conversationSyncJob } from './conversations/conversation-job.ts';
import { listQuestions } from './conversations/list-questions.ts';
import { scheduleConversations } from './conversations/schedule-conversations.ts';
import { syncQuestion } from './conversations/sync-question.ts';
import type { SyncDeps } from './deps.ts';
import { exportJob } from './exports/export-job.ts';
import { exportSpace } from './exports/export-space.ts';
import { scheduleExports } from './exports/schedule-exports.ts';
import { checkExternalLink } from './external-links/check-link.ts';
import { gatherLinks } from './external-links/gather-links.ts';
import { issueJob } from './external-links/issue-job.ts';
import { gatherJob, linkJob } from './external-links/link-job.ts';
import { scheduleGathering } from './external-links/schedule-gathering.ts';
import { syncIssue } from './external-links/sync-issue.ts';
import { scheduleSpecs } from './openapi/schedule-specs.ts';
import { specJob } from './openapi/spec-job.ts';
import { syncSpecs } from './openapi/sync-specs.ts';
import { readPlans } from './sync-schedules.ts';
import { scheduleTranslations } from './translations/schedule-translations.ts';
import { syncSpaceTranslations } from './translations/sync-space-translations.ts';
import { translateJob } from './translations/translate-job.ts';

export { apiCheckJob } from './api-check/api-check-job.ts';
export { watchPullRequests } from './api-check/watch-pull-requests.ts';
export { mirrorJob } from './comment-mirror/mirror-job.ts';
export { watchDiscussions, watchPullDiscussions } from './comment-mirror/watch-discussions.ts';
export { conversationSyncJob } from './conversations/conversation-job.ts';
export { watchQuestions } from './conversations/watch-questions.ts';
export type { SyncDeps } from './deps.ts';
export { exportJob } from './exports/export-job.ts';
export { issueJob } from './external-links/issue-job.ts';
export { gatherJob, linkJob } from './external-links/link-job.ts';
export { specJob } from './openapi/spec-job.ts';
export { watchBranches } from './openapi/watch-branches.ts';
export { readScheduleKey, type ScheduledWork, writeScheduleKey } from './schedule-keys.ts';
export { firstLanguage, translateJob } from './translations/translate-job.ts';

export interface Scheduler {
  /** Enqueues the jobs that are due now, by the configurations and by edits. */
  poll(signal: AbortSignal): Promise<void>;
  startJobs(): Promise<void>;
}

/** How often schedules are synced with the configurations, which change seldom. */
const PLAN_MS = 60_000;
/** How often pull requests with mirrored comments are compared when nothing was heard of them. */
const MIRROR_MS = 10 * 60_000;

export function createScheduler(deps: SyncDeps): Scheduler {
  let planAt = 0;
  let mirrorAt = 0;
  return {
    async poll(signal) {
      if (Date.now() >= planAt) {
        const repositories = await readPlans(deps.db);
        await scheduleGathering(deps, repositories);
        if (deps.specs) await scheduleSpecs(deps, repositories);
        await scheduleTranslations(deps, repositories);
        await scheduleConversations(deps, repositories);
        planAt = Date.now() + PLAN_MS;
      }
      await scheduleExports(deps, signal);
      if (Date.now() >= mirrorAt) {
        await scheduleMirrors(deps, signal);
        mirrorAt = Date.now() + MIRROR_MS;
      }
    },
    async startJobs() {
      await deps.queue.work(exportJob, ({ bindingId }, { signal }) => exportSpace(deps, bindingId, signal));
      await deps.queue.work(mirrorJob, (payload, { signal }) => mirrorComments(deps, payload, signal));
      await deps.queue.work(gatherJob, ({ repositoryId }, { signal }) =>
        gatherLinks(deps, repositoryId, signal),
      );
      await deps.queue.work(issueJob, (payload, { signal }) => syncIssue(deps, payload, signal));
      await deps.queue.work(conversationSyncJob, async ({ repositoryId, question }, { signal }) => {
        if (question === undefined) await listQuestions(deps, { repositoryId }, signal);
        else await syncQuestion(deps, { repositoryId, question }, signal);
      });
      const { specs } = deps;
      if (specs) {
        const specDeps = { ...deps, ...specs };
        await deps.queue.work(specJob, (payload, context) => syncSpecs(specDeps, payload, context));
        await deps.queue.work(apiCheckJob, (payload, context) => checkApi(specDeps, payload, context));
      }
      await deps.queue.work(translateJob, (payload, { signal }) =>
        syncSpaceTranslations(deps, payload, signal),
      );
      await deps.queue.work(linkJob, (payload, { signal }) => checkExternalLink(deps, payload, signal));
    },
  };
}
export { type ProbeStep, probeUrl } from './external-links/probe-url.ts';
export { updateLinkState } from './external-links/update-link-state.ts';
