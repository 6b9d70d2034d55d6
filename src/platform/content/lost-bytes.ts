import {
  findSourceOfBytes,
  loadAnySpace,
  loadSpaceBlob,
  recordFoundBytes,
  recordLostBytes,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';

type LostBytesDeps = Pick<PlatformDeps, 'db' | 'log' | 'refetch'>;

/** Bytes that a space received, and that are not in the store, or are other ones there. */
export interface MissedBytes {
  readonly spaceId: string;
  readonly oid: string;
  readonly of: 'file' | 'page';
}

/**
 * Records that bytes are lost, has them fetched from their repository again, and returns the answer to whoever wanted them.
 * `unavailable` while they may be fetched, otherwise `bytes-not-stored`. Null when the space did not receive them: they are
 * not lost then, but were never there.
 */
export async function answerLostBytes(deps: LostBytesDeps, missed: MissedBytes): Promise<ApiError | null> {
  const { spaceId, oid, of } = missed;
  const recorded = await recordLostBytes(deps.db, spaceId, oid);
  if (recorded === null) return null;
  const lost = `The bytes of this ${of} were lost on this server`;
  const { soughtAt, isFirst } = recorded;
  if (isFirst) deps.log.warn({ space: spaceId, oid }, 'Bytes that a space received are lost');
  const space = soughtAt === null ? await loadAnySpace(deps.db, spaceId) : null;
  if (space === null || space.gitSync === null) {
    // The store has them once for all spaces, so those of the space that has a repository are these, too.
    const source = await findSourceOfBytes(deps.db, spaceId, oid);
    if (source !== null) return await answerLostBytes(deps, { spaceId: source, oid, of });
    const why =
      soughtAt === null ? 'they did not come from a repository' : 'and its repository does not have them';
    const end =
      of === 'file' ? 'restore them from a backup, or upload the file again' : 'restore them from a backup';
    return new ApiError('bytes-not-stored', `${lost}, ${why}: ${end}.`);
  }
  const isFetched = (await deps.refetch?.(spaceId, { isFirst })) ?? false;
  return new ApiError(
    'unavailable',
    isFetched
      ? `${lost} and are being fetched again from its repository; try again in a minute.`
      : `${lost}: import the space from its repository again to fetch them.`,
  );
}

/** Whether the space received the bytes; what `read` reads is not lost any more. */
export async function readReceived<T>(
  deps: LostBytesDeps,
  { spaceId, oid }: MissedBytes,
  read: () => Promise<T>,
): Promise<{ readonly value: T } | null> {
  const received = await loadSpaceBlob(deps.db, spaceId, oid);
  if (received === null) return null;
  const value = await read();
  if (received.isLost) await recordFoundBytes(deps.db, spaceId, [oid]);
  return { value };
}
