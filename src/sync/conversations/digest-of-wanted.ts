import { createHash } from 'node:crypto';
import type { ConversationsConfig } from '../../config/index.ts';

/** Changes with what a configuration wants. */
export function digestOfWanted(wanted: ConversationsConfig): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('base64url');
}
