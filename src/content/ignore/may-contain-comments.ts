import { Buffer } from 'node:buffer';

/** The start of every comment that ignores links. */
export const COMMENT_PREFIX = 'docloom-';

/** Whether a file may have such comments, without parsing it: most files do not contain the prefix at all. */
export function mayContainComments(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(COMMENT_PREFIX);
}
