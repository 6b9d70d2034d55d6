import {
  beginOperation,
  failOperation,
  type GitOperationRow,
  listExecutedSince,
  listSpacesWithOpenOperations,
  loadOpenOperations,
  postponeOperation,
  skipOperations,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { ContentMoved } from '../revisions/write-revision.ts';
import { chooseOperation } from './choose-operation.ts';
import { gitOperationJob } from './git-operation-job.ts';
import { describeFailure, OperationFailure, TakenOver } from './operation-failure.ts';
import { runExport } from './run-export.ts';
import { runImport } from './run-import.ts';
import type { StoredImport } from './stored-request.ts';

/** Attempts of an operation whose failure may be temporary, with pauses of 1, 2 and 4 seconds. */
const maxFailures = 4;

/** Runs that were cut off because the process was killed; after more of them, the operation is likely the cause. */
const maxInterruptions = 20;

/** Runs a space's operations until none is due, and enqueues a job for those due later. */
export async function runOperations(deps: PlatformDeps, spaceId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const open = await loadOpenOperations(deps.db, spaceId);
    const oldest = open[0];
    if (oldest === undefined) return;
    const now = new Date();
    const choice = chooseOperation(
      open.map((operation) => {
        const { url, directory, force } = operation.request as StoredImport;
        return { ...operation, url, directory, force };
      }),
      await listExecutedSince(deps.db, spaceId, oldest.timestamp),
      now,
    );
    for (const { id, message } of choice.skip) {
      await skipOperations(deps.db, [id], message);
      deps.log.info({ operation: id, space: spaceId, reason: message }, 'git operation not needed');
    }
    if (choice.run === null) {
      if (choice.dueAt) await enqueueAfter(deps, spaceId, (choice.dueAt.getTime() - now.getTime()) / 1000);
      return;
    }
    const run = await beginOperation(deps.db, choice.run);
    if (run) await runOperation(deps, run, signal);
  }
}

/** Enqueues a job for every space with unfinished operations: their jobs may have been lost with a process. */
export async function resumeOperations(deps: PlatformDeps): Promise<void> {
  for (const spaceId of await listSpacesWithOpenOperations(deps.db)) {
    await deps.queue.enqueue(deps.db, gitOperationJob, { spaceId });
  }
}

async function runOperation(deps: PlatformDeps, run: GitOperationRow, signal: AbortSignal): Promise<void> {
  const fields = { operation: run.id, space: run.spaceId, ref: run.ref, attempt: run.attempts };
  const startedAt = performance.now();
  const report = (outcome: 'success' | 'failure') => {
    const seconds = (performance.now() - startedAt) / 1000;
    deps.measured?.({ direction: run.direction, outcome, seconds });
  };
  try {
    if (run.attempts - run.failures > maxInterruptions) {
      throw new OperationFailure(
        'interrupted',
        `The import was interrupted ${maxInterruptions} times, so it is not tried again; check the server's memory and log, then import again.`,
      );
    }
    const context = { deps, run, signal };
    await (run.direction === 'export' ? runExport(context) : runImport(context));
    report('success');
    deps.log.info(fields, 'git operation done');
  } catch (error) {
    // The process is stopping: the operation stays `running` and continues after the next start.
    if (signal.aborted) throw error;
    // The space's content changed during the run: the operation stays open and is run again at once.
    if (error instanceof TakenOver || error instanceof ContentMoved) return;
    report('failure');
    await handleFailure(deps, run, error, fields);
  }
}

/** Schedules a retry of a failed run if that may help, and fails the operation otherwise. The old content stays. */
async function handleFailure(
  deps: PlatformDeps,
  run: GitOperationRow,
  cause: unknown,
  fields: object,
): Promise<void> {
  const { error, retryable, known } = describeFailure(cause);
  if (known) deps.log.warn({ ...fields, code: error.code, reason: error.message }, 'git operation failed');
  else deps.log.error({ ...fields, err: cause }, 'git operation failed with an internal error');
  if (!retryable || run.failures + 1 >= maxFailures) {
    await failOperation(deps.db, run, error);
    return;
  }
  const delaySeconds = 2 ** run.failures;
  await deps.db.transaction(async (tx) => {
    if (!(await postponeOperation(tx, run, { error, delaySeconds }))) return;
    await deps.queue.enqueue(tx, gitOperationJob, { spaceId: run.spaceId }, { startAfter: delaySeconds });
  });
}

async function enqueueAfter(deps: PlatformDeps, spaceId: string, seconds: number): Promise<void> {
  await deps.queue.enqueue(deps.db, gitOperationJob, { spaceId }, { startAfter: Math.max(0.05, seconds) });
}
