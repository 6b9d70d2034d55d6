import {
  type FileContent,
  MAX_SPEC_THREADS,
  type ReadFile,
  SPEC_THREAD_LIMITS,
} from '../../openapi/index.ts';
import { createThreadRunner, ThreadLimitExceeded, type ThreadLimits } from '../../threads/index.ts';
import type { SpecOutcome, SpecTask } from './process-spec.ts';

const createRunner = (limits: ThreadLimits = SPEC_THREAD_LIMITS) =>
  createThreadRunner<SpecTask, string, FileContent, SpecOutcome>(
    new URL('./process-spec-thread.ts', import.meta.url),
    limits,
    { maxThreads: MAX_SPEC_THREADS },
  );

const sharedRunner = createRunner();

const ADVICE = {
  TIMEOUT: 'make it smaller, or its aliases and references fewer.',
  TOO_LARGE: 'make it smaller.',
  CRASHED: 'make it smaller.',
};

/**
 * Processes a specification in a thread. One that exceeds the limits is refused like one with any other problem.
 *
 * @throws the signal's reason if it aborts, what `read` throws, and internal errors
 */
export async function processSpecInThread(
  task: SpecTask,
  read: ReadFile,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits?: ThreadLimits },
): Promise<SpecOutcome> {
  const runner = limits === undefined ? sharedRunner : createRunner(limits);
  try {
    return await runner.run(task, read, signal);
  } catch (error) {
    if (!(error instanceof ThreadLimitExceeded)) throw error;
    const message = `It ${error.describe('read')}; ${ADVICE[error.code]}`;
    const code = error.code === 'TIMEOUT' ? 'TIMEOUT' : 'TOO_LARGE';
    return { kind: 'refused', problems: [{ code, message, file: 'entry' in task ? task.entry : '' }] };
  } finally {
    if (limits !== undefined) await runner.close();
  }
}
