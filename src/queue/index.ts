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
  type CallQueue,
  CallQueueFull,
  type CallQueueLimits,
  type CallQueues,
  openCallQueues,
  type RunOptions,
} from './call-queues.ts';
export {
  defineJob,
  findPostponed,
  type JobContext,
  type JobDefinition,
  type JobHandler,
  PauseRequested,
  PermanentFailure,
  Postponed,
  type RateLimitGroup,
} from './job.ts';
export { openQueue, type QueueOptions } from './open-queue.ts';
export type { EnqueueOptions, Queue, Schedule } from './queue.ts';
