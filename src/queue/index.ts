/** The queue room: durable jobs, rate limits that all processes share, and limits for this process's outgoing calls. */

export {
  type FailedJob,
  type FailingJob,
  type JobCounts,
  type ListedJob,
  listFailingJobs,
  listJobsAbout,
  type RateLimitState,
  type SharedLimits,
} from '../store/index.ts';
export {
  defineJob,
  findPostponed,
  type JobContext,
  type JobDefinition,
  type JobHandler,
  LaneBusy,
  type LaneTurn,
  PermanentFailure,
  Postponed,
} from './job.ts';
export { type Lane, LaneFull, type LaneLimits, type Lanes, openLanes, type RunOptions } from './lanes.ts';
export { openQueue, type QueueOptions } from './open-queue.ts';
export type { EnqueueOptions, Queue, Schedule } from './queue.ts';
