import { type KnownRepository, recordSyncAttempt } from '../../store/index.ts';
import { enqueueRecheck } from '../webhooks/index.ts';
import type { ReconcileDeps } from './deps.ts';

interface SyncOptions {
  /** The tip of the branch; null where it was not read. */
  readonly tip: string | null;
  /** In seconds. */
  readonly startAfter?: number;
  /** Whether its open pull requests are checked, too. */
  readonly withPullRequests?: boolean;
}

/** Enqueues a sync of a repository's default branch, and records that it was requested. */
export async function enqueueSync(
  { db, queue }: Pick<ReconcileDeps, 'db' | 'queue'>,
  repository: Pick<KnownRepository, 'id' | 'installationId' | 'fullName' | 'defaultBranch'>,
  { tip, startAfter = 0, withPullRequests = false }: SyncOptions,
): Promise<void> {
  const { id: repositoryId, installationId, fullName, defaultBranch: branch } = repository;
  const about = { installationId, repositoryId, fullName };
  await db.transaction(async (tx) => {
    const within = { db: tx, queue };
    await enqueueRecheck(within, { ...about, kind: 'branch', branch }, { startAfter });
    if (withPullRequests) await enqueueRecheck(within, { ...about, kind: 'pull-requests' }, { startAfter });
    await recordSyncAttempt(tx, repositoryId, tip);
  });
}
