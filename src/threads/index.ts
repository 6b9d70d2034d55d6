/** Child processes with limits of time and memory, for whatever users wrote; this room calls them its threads. */

export {
  type ContentThreads,
  contentThreads,
  createContentThreads,
  PageLimitError,
  PageNotRead,
} from './content/content-threads.ts';
export type { LinkAddress } from './content/show-pages.ts';
export { warmUp } from './content/warm-up.ts';
export { serveThread } from './serve-thread.ts';
export { createThreadRunner, ThreadLimitExceeded, type ThreadLimits } from './thread-runner.ts';
