import type { Octokit } from './octokit.ts';

/** What an installation lets the App do, by GitHub's names: `contents` → `write`. */
export type Granted = Readonly<Record<string, string | undefined>>;

/** Read from the token of the installation, which is at hand: it costs no call. */
export async function grantedTo(octokit: Octokit): Promise<Granted> {
  const { permissions } = (await octokit.auth({ type: 'installation' })) as { permissions?: Granted };
  return permissions ?? {};
}
