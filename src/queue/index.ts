/** The queue room: durable jobs, and lanes that keep outgoing calls within their limits. */

export { findPostponed } from './find-postponed.ts';
export { type Lane, LaneFull, type LaneLimits, type Lanes, openLanes, type RunOptions } from './lanes.ts';
export { type ListedJob, listFailing, listJobsAbout } from './list-jobs.ts';
export { openQueue, type QueueOptions } from './open-queue.ts';
export {
  defineJob,
  type EnqueueOptions,
  type FailedJob,
  type JobContext,
  type JobCounts,
  type JobDefinition,
  type JobHandler,
  LaneBusy,
  type LaneTurn,
  PermanentFailure,
  Postponed,
  type Queue,
  type Schedule,
} from './queue.ts';
export type { LaneState, SharedLimits } from './shared-lanes.ts';
