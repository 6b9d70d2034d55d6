import { nullWhenMissing } from './errors.ts';
import type { Octokit } from './octokit.ts';

/** An author or committer whom GitHub can match to an account. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

/**
 * The App's own account. `app` is the Octokit of the App itself, which may not read accounts; `octokit` that of an
 * installation. `host` is the host of GitHub's pages.
 */
export async function botIdentity(app: Octokit, octokit: Octokit, host: string): Promise<CommitIdentity> {
  const { data } = await app.rest.apps.getAuthenticated();
  const login = `${data?.slug ?? 'docloom'}[bot]`;
  const response = await nullWhenMissing(octokit.rest.users.getByUsername({ username: login }));
  return accountIdentity({ login, id: response?.data.id ?? null }, host);
}

/** https://docs.github.com/account-and-profile/reference/email-addresses-reference */
export function accountIdentity(
  { login, id }: { readonly login: string; readonly id: number | null },
  host: string,
): CommitIdentity {
  const domain = `users.noreply.${host.replace(/:\d+$/, '')}`;
  return { name: login, email: `${id === null ? '' : `${id}+`}${login}@${domain}` };
}
