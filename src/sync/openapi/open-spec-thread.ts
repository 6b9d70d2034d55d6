import { type FileContent, MAX_SPEC_THREADS, SPEC_THREAD_LIMITS } from '../../openapi/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import { createThreadRunner, ThreadLimitExceeded, type ThreadLimits } from '../../threads/index.ts';
import type { Side, SideFile, SpecCheck, SpecFindings } from './check-spec.ts';

/** A thread with limits of time and memory, for untrusted specifications. */
export interface SpecThread {
  /**
   * Checks a specification. The limits are those of the platform, which reads it after the merge.
   *
   * @throws PermanentFailure with a sentence for people when a limit was exceeded, and the signal's reason
   */
  check(
    task: SpecCheck,
    read: (side: Side, file: string) => Promise<FileContent>,
    signal: AbortSignal,
  ): Promise<SpecFindings>;
  close(): Promise<void>;
}

/** All checks share the threads, so that many pull requests at once take no more memory than two. */
const sharedRunner = createRunner(SPEC_THREAD_LIMITS);

function createRunner(limits: ThreadLimits) {
  return createThreadRunner<SpecCheck, SideFile, FileContent, SpecFindings>(
    new URL('./check-spec-thread.ts', import.meta.url),
    limits,
    { maxThreads: MAX_SPEC_THREADS },
  );
}

/** @param limits others than those of the platform, for a thread of its own */
export function openSpecThread(limits?: ThreadLimits): SpecThread {
  const runner = limits === undefined ? sharedRunner : createRunner(limits);
  return {
    async check(task, read, signal) {
      try {
        return await runner.run(task, ({ side, file }) => read(side, file), signal);
      } catch (error) {
        if (!(error instanceof ThreadLimitExceeded)) throw error;
        throw new PermanentFailure(`${task.next}: it ${error.describe('read')}; make it smaller.`);
      }
    },
    async close() {
      if (limits !== undefined) await runner.close();
    },
  };
}
