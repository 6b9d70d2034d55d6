/** Runs a task that never ends, until somebody ends this process. */
import { createThreadRunner } from '../../src/threads/index.ts';

const runner = createThreadRunner<string, never, never, never>(new URL('./busy-thread.ts', import.meta.url), {
  timeoutMs: 3_600_000,
  memoryMb: 64,
});
void runner.run('');
