/** Says what environment a thread has. */
import { serveThread } from '../../src/threads/index.ts';

serveThread(async () => process.env);
