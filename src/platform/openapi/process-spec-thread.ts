/** The thread that processes one specification after another; see `processSpecInThread`. */
import { serveThread } from '../../threads/index.ts';
import { processSpec } from './process-spec.ts';

serveThread(processSpec);
