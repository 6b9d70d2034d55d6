import {
  countEmoji,
  type Db,
  deleteReaction,
  insertReaction,
  newId,
  type ReactionTarget,
} from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import { MAX_EMOJI } from './limits.ts';

export interface ReactionChanges {
  readonly addedReactions?: readonly string[];
  readonly removedReactions?: readonly string[];
}

/** One emoji, or the name of one. */
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|:?[a-z0-9_+\-]{1,50}:?)$/v;

/** Throws a 400 for a reaction that is no emoji. */
export function checkReactions({ addedReactions = [] }: ReactionChanges): void {
  addedReactions.forEach((emoji, at) => {
    if (!EMOJI.test(emoji)) {
      throw invalid(`/body/addedReactions/${at}`, 'must be one emoji, such as 👍, or the name of one');
    }
  });
}

/** Adds and removes reactions of a user; each of them once. */
export async function changeReactions(
  tx: Db,
  target: ReactionTarget,
  userId: string,
  { addedReactions = [], removedReactions = [] }: ReactionChanges,
): Promise<void> {
  for (const emoji of removedReactions) await deleteReaction(tx, target, { userId, emoji });
  for (const emoji of addedReactions) await insertReaction(tx, { id: newId(), ...target, userId, emoji });
  if (addedReactions.length > 0 && (await countEmoji(tx, target)) > MAX_EMOJI) {
    throw new ApiError('limit-reached', `There are at most ${MAX_EMOJI} different reactions to one comment.`);
  }
}
