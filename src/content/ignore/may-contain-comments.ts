import { Buffer } from 'node:buffer';

/** How every comment about ignoring begins. */
export const COMMENT_PREFIX = 'docloom-';

/** Whether a file is worth asking for its comments: most do not hold the word at all, and need no parser for that. */
export function mayContainComments(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(COMMENT_PREFIX);
}
