import { listOpenPulls } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { enqueueMirror } from './watch-discussions.ts';

/** Enqueues a job for each open pull request that carries change requests: a lost hint costs time, no comment. */
export async function scheduleMirrors({ db, queue }: SyncDeps, signal: AbortSignal): Promise<void> {
  for (const { repositoryId, pullNumber } of await listOpenPulls(db)) {
    signal.throwIfAborted();
    await enqueueMirror({ db, queue }, repositoryId, pullNumber);
  }
}
