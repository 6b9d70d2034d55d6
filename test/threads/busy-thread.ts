/** Never ends, and never looks at its messages again. */
import { serveThread } from '../../src/threads/index.ts';

serveThread(async () => {
  for (;;);
});
