import type { Octokit } from './octokit.ts';

/** What an installation lets the App do, by GitHub's names: `contents` → `write`. */
export type GrantedPermissions = Readonly<Record<string, string | undefined>>;

/** What a token says of itself. */
interface Token {
  readonly permissions?: GrantedPermissions;
  readonly createdAt: string;
}

/** For so long a token is believed that it lacks something. */
const BELIEVED_MS = 60_000;

/**
 * Read from the token of the installation, which is at hand: it costs no call. A token keeps for its hour what was granted
 * when it was made, so one that lacks what is `wanted` is made anew, once a minute at most: what somebody grants counts
 * soon, in whichever process.
 */
export async function readGrantedPermissions(
  octokit: Octokit,
  wanted: GrantedPermissions,
): Promise<GrantedPermissions> {
  const token = (await octokit.auth({ type: 'installation' })) as Token;
  const lacks = Object.entries(wanted).some(([name, level]) => token.permissions?.[name] !== level);
  if (!lacks || Date.now() - Date.parse(token.createdAt) < BELIEVED_MS) return token.permissions ?? {};
  const renewed = (await octokit.auth({ type: 'installation', refresh: true })) as Token;
  return renewed.permissions ?? {};
}
