/** The thread that reads and renders one page after another; see `content-threads.ts`. */
import { serveThread } from '../serve-thread.ts';
import { runContentTask } from './content-task.ts';

serveThread(runContentTask);
