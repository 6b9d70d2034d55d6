import { operations, PlatformError } from '../../client/index.ts';
import { type ExportingBinding, type ExportRow, listExporting } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { exportJob } from './export-job.ts';

/** A failed export whose attempts are used up is started again after this time. */
const RETRY_AFTER_MS = 60 * 60_000;

/**
 * Compares the spaces that are exported with their last exports, and enqueues a job for each that differs. Edits in quick
 * succession are exported together: a waiting job exports the state at its start.
 */
export async function scheduleExports(deps: SyncDeps, signal: AbortSignal): Promise<void> {
  for (const { binding, last } of await listExporting(deps.db)) {
    signal.throwIfAborted();
    if (!(await isDue(deps, binding, last))) continue;
    const { id: bindingId, installationId } = binding;
    await deps.queue.enqueue(deps.db, exportJob, { bindingId, installationId }, { unlessWaiting: true });
  }
}

async function isDue(deps: SyncDeps, binding: ExportingBinding, last: ExportRow | null): Promise<boolean> {
  try {
    const { revision, gitSync } = await deps.client.call(operations.getSpace, {
      params: { spaceId: binding.spaceId },
    });
    if (revision === undefined) return false;
    const isOpen = last?.outcome === 'proposed' || last?.outcome === 'failed';
    if (gitSync?.hasEdits === false && !isOpen) return false;
    if (last === null || last.revisionId !== revision) return true;
    if (last.outcome === 'failed') return Date.now() - last.updatedAt.getTime() > RETRY_AFTER_MS;
    // The pull request is updated when its branch moves.
    return last.outcome === 'proposed' && last.baseOid !== binding.liveOid;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    deps.log.warn({ err: error, space: binding.spaceId }, 'A space could not be checked for edits');
    return false;
  }
}
