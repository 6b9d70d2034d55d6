import type { Octokit } from './octokit.ts';

/** The permissions that an installation grants the App, by GitHub's names: `contents` → `write`. */
export type GrantedPermissions = Readonly<Record<string, string | undefined>>;

/** The fields of an installation token that are used here. */
interface Token {
  readonly permissions?: GrantedPermissions;
  readonly createdAt: string;
}

/** A token younger than this is not renewed for a missing permission. */
const MIN_TOKEN_AGE_MS = 60_000;

/**
 * Reads the permissions from the installation's cached token, which costs no call. For its hour, a token has the
 * permissions that were granted when it was created. A token without a `wanted` permission is renewed, at most once a
 * minute, so that every process notices a new grant soon.
 */
export async function readGrantedPermissions(
  octokit: Octokit,
  wanted: GrantedPermissions,
): Promise<GrantedPermissions> {
  const token = (await octokit.auth({ type: 'installation' })) as Token;
  const lacks = Object.entries(wanted).some(([name, level]) => token.permissions?.[name] !== level);
  if (!lacks || Date.now() - Date.parse(token.createdAt) < MIN_TOKEN_AGE_MS) return token.permissions ?? {};
  const renewed = (await octokit.auth({ type: 'installation', refresh: true })) as Token;
  return renewed.permissions ?? {};
}
