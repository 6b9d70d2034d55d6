import { listRepositoryConversations } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import type { PlannedRepository } from '../sync-schedules.ts';
import { conversationSyncJob } from './conversation-job.ts';
import { sourceOf } from './describe-question.ts';
import { digestOfWanted } from './digest-of-wanted.ts';

/** How often they are listed, for events that were lost or that an older App does not get. */
const LIST_AGAIN_MS = 60 * 60_000;

/** Enqueues the list of each repository whose configuration wants conversations, or did, when it is due. */
export async function scheduleConversations(
  { db, queue, now }: Pick<SyncDeps, 'db' | 'queue' | 'now'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  const known = Map.groupBy(await listRepositoryConversations(db), ({ repositoryId }) => repositoryId);
  const listedBefore = now().getTime() - LIST_AGAIN_MS;
  for (const { id: repositoryId, installationId, fullName, config, hasSpaces } of repositories) {
    if (config === null) continue;
    const rows = known.get(repositoryId) ?? [];
    const wanted = hasSpaces ? config.conversations : undefined;
    const isDue =
      wanted === undefined
        ? rows.length > 0
        : rows.length === 0 ||
          rows.some(
            ({ source, listedAt, configDigest }) =>
              source !== sourceOf(fullName) ||
              listedAt === null ||
              listedAt.getTime() < listedBefore ||
              configDigest !== digestOfWanted(wanted),
          );
    if (isDue)
      await queue.enqueue(db, conversationSyncJob, { repositoryId, installationId }, { unlessWaiting: true });
  }
}
