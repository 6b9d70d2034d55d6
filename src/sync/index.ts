/** The scheduler: what flows back from spaces to where they came from, and what is looked at from time to time. */
import { apiCheckJob } from './api-check/api-check-job.ts';
import { checkApi } from './api-check/check-api.ts';
import type { SyncDeps } from './deps.ts';
import { exportJob } from './exports/export-job.ts';
import { exportSpace } from './exports/export-space.ts';
import { lookForEdits } from './exports/look-for-edits.ts';
import { checkLink } from './external-links/check-link.ts';
import { gatherLinks } from './external-links/gather-links.ts';
import { issueJob } from './external-links/issue-job.ts';
import { keepIssue } from './external-links/keep-issue.ts';
import { gatherJob, linkJob } from './external-links/link-job.ts';
import { planGathering } from './external-links/plan-gathering.ts';
import { readPlans } from './keep-schedules.ts';
import { planSpecs } from './openapi/plan-specs.ts';
import { sendSpecs } from './openapi/send-specs.ts';
import { specJob } from './openapi/spec-job.ts';
import { followSpace } from './translations/follow-space.ts';
import { planTranslations } from './translations/plan-translations.ts';
import { translateJob } from './translations/translate-job.ts';

export { apiCheckJob } from './api-check/api-check-job.ts';
export { followPulls } from './api-check/follow-pulls.ts';
export type { SyncDeps } from './deps.ts';
export { exportJob } from './exports/export-job.ts';
export { issueJob } from './external-links/issue-job.ts';
export { gatherJob, linkJob } from './external-links/link-job.ts';
export { followBranches } from './openapi/follow-branches.ts';
export { specJob } from './openapi/spec-job.ts';
export { scheduleName, translateJob } from './translations/translate-job.ts';

export interface Scheduler {
  /** Looks once for what is to be done, and sets jobs to work on it. */
  look(signal: AbortSignal): Promise<void>;
  startJobs(): Promise<void>;
}

/** How often the configurations are read for what they plan; they change seldom. */
const PLAN_MS = 60_000;

export function createScheduler(deps: SyncDeps): Scheduler {
  let planAt = 0;
  return {
    async look(signal) {
      if (Date.now() >= planAt) {
        const repositories = await readPlans(deps.db);
        await planGathering(deps, repositories);
        if (deps.specs) await planSpecs(deps, repositories);
        await planTranslations(deps, repositories);
        planAt = Date.now() + PLAN_MS;
      }
      await lookForEdits(deps, signal);
    },
    async startJobs() {
      await deps.queue.work(exportJob, ({ bindingId }, { signal }) => exportSpace(deps, bindingId, signal));
      await deps.queue.work(gatherJob, ({ repositoryId }, { signal }) =>
        gatherLinks(deps, repositoryId, signal),
      );
      await deps.queue.work(issueJob, (payload, { signal }) => keepIssue(deps, payload, signal));
      const { specs } = deps;
      if (specs) {
        const specDeps = { ...deps, ...specs };
        await deps.queue.work(specJob, (payload, context) => sendSpecs(specDeps, payload, context));
        await deps.queue.work(apiCheckJob, (payload, context) => checkApi(specDeps, payload, context));
      }
      await deps.queue.work(translateJob, (payload, { signal }) => followSpace(deps, payload, signal));
      await deps.queue.work(linkJob, (payload, { signal }) => checkLink(deps, payload, signal));
    },
  };
}
export { askAddress, type Step } from './external-links/ask-address.ts';
export { judgeAnswer } from './external-links/judge-answer.ts';
