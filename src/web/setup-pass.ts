import { openSealedCookie, type SealedCookie, type SealedCookieOptions } from './sealed-cookie.ts';
import type { SetupProposal } from './setup-pages.ts';

/** What a browser carries through setting up, sealed. */
export interface SetupPass {
  /** It came with the key of the server's log. */
  readonly byKey: boolean;
  /** What GitHub was asked for, and the random text that GitHub gives back; null before it was asked. */
  readonly asked: { readonly state: string; readonly github: SetupProposal['github'] } | null;
}

/** Counts for an hour, which is as long as GitHub's code does. */
export function openSetupPasses(
  options: Pick<SealedCookieOptions, 'sealer' | 'publicUrl' | 'now'>,
): SealedCookie<SetupPass> {
  return openSealedCookie({ ...options, name: 'docloom-setup', kind: 'setup', lifetimeSeconds: 60 * 60 });
}
