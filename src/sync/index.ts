/** The scheduler: what flows back from spaces to where they came from. */
import type { SyncDeps } from './deps.ts';
import { exportJob } from './exports/export-job.ts';
import { exportSpace } from './exports/export-space.ts';
import { lookForEdits } from './exports/look-for-edits.ts';

export type { SyncDeps } from './deps.ts';

export interface Scheduler {
  /** Looks once for what is to be done, and sets jobs to work on it. */
  look(signal: AbortSignal): Promise<void>;
  startJobs(): Promise<void>;
}

export function createScheduler(deps: SyncDeps): Scheduler {
  return {
    look: (signal) => lookForEdits(deps, signal),
    async startJobs() {
      await deps.queue.work(exportJob, ({ bindingId }, { signal }) => exportSpace(deps, bindingId, signal));
    },
  };
}
