/** Ends as a process does that the system ends for lack of memory: the first time, or always. */
import { serveThread } from '../../src/threads/index.ts';

serveThread<'once' | 'always', number, number, string>(async (kind, read) => {
  const starts = await read(0);
  if (kind === 'always' || starts === 1) process.kill(process.pid, 'SIGKILL');
  return 'done';
});
