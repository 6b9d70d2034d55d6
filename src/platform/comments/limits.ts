import { claimCall, countComments, countReplies, type Db } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError } from '../api/api-error.ts';

/** Comments with their threads that a space has, those of its change requests included. */
const MAX_COMMENTS = 200_000;
const MAX_REPLIES = 1_000;
/** How many different emoji something is reacted to with. */
export const MAX_EMOJI = 50;

/** Comments, replies, edits and reactions of one person. */
const RATE = { count: 120, ms: 60_000 };

/** Throws a 429 for somebody who writes faster than people do. */
export async function requireRate(
  db: Db,
  caller: Caller,
  setHeader: (name: string, value: string) => void,
): Promise<void> {
  const wait = await claimCall(db, `comments:${caller.user.id}`, RATE);
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1000);
  setHeader('retry-after', String(seconds));
  throw new ApiError(
    'too-many-requests',
    `You wrote or changed ${RATE.count} comments within a minute; try again in ${seconds} s.`,
  );
}

export async function requireRoomForComment(db: Db, spaceId: string): Promise<void> {
  if ((await countComments(db, spaceId)) < MAX_COMMENTS) return;
  throw new ApiError(
    'limit-reached',
    `A space has at most ${MAX_COMMENTS.toLocaleString('en')} comments; delete some first.`,
  );
}

export async function requireRoomForReply(db: Db, commentId: string): Promise<void> {
  if ((await countReplies(db, commentId)) < MAX_REPLIES) return;
  throw new ApiError('limit-reached', `A comment has at most ${MAX_REPLIES.toLocaleString('en')} replies.`);
}
