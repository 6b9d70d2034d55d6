import { parseConfig } from '../../config/index.ts';
import type { KnownRepository } from '../../store/index.ts';

/** Whether the App reaches a repository, and its configuration in force mirrors comments. */
export function wantsMirror(
  known: KnownRepository | null,
): known is KnownRepository & { readonly disconnected: null } {
  // The word is looked for first, because hints come with every comment.
  if (known === null || known.disconnected !== null) return false;
  if (known.configText?.includes('mirror-comments') !== true) return false;
  const parsed = parseConfig(known.configText);
  return 'config' in parsed && parsed.config.exports['mirror-comments'];
}
