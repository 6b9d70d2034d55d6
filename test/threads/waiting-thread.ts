/** Waits for a file, and then works for some ms. */
import { serveThread } from '../../src/threads/index.ts';

serveThread<number, null, number, number>(async (workMs, read) => {
  const file = await read(null);
  for (const start = performance.now(); performance.now() - start < workMs; );
  return file;
});
