import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';
import { type Db, hasCommentedPages } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';

/** Looks up where the comments of a space stand in its current content, and those of change requests in theirs. */
export const followJob = defineJob({
  name: 'comments.follow',
  payload: Type.Object({ spaceId: Type.String() }),
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 10 * 60,
  expireInSeconds: 15 * 60,
  key: ({ spaceId }) => spaceId,
  concurrency: 2,
});

/** Call it in the transaction that changes what a space or a change request shows. */
export async function followComments(
  { queue }: Pick<PlatformDeps, 'queue'>,
  tx: Db,
  spaceId: string,
): Promise<void> {
  if (!(await hasCommentedPages(tx, spaceId))) return;
  await queue.enqueue(tx, followJob, { spaceId }, { unlessWaiting: true });
}
