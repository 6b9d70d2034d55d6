import { type GitOperationRow, updateOperationProgress } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { TakenOver } from './operation-failure.ts';

/** One run of an operation. */
export interface OperationContext {
  readonly deps: PlatformDeps;
  /** The row at the start of the run: its `attempts` identify this run. */
  readonly run: GitOperationRow;
  readonly signal: AbortSignal;
}

/** Records the progress of a run. @throws {TakenOver} if another run took over */
export async function recordProgress(
  { deps, run, signal }: OperationContext,
  progress: Partial<Pick<GitOperationRow, 'stage' | 'progress' | 'commitOid'>>,
): Promise<void> {
  signal.throwIfAborted();
  if (!(await updateOperationProgress(deps.db, run, progress))) throw new TakenOver('Another run took over.');
}
