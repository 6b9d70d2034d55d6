import { apiAddress, webAddress } from '../../github/index.ts';
import type { GitHubClient } from '../../identity/index.ts';
import type { ServerConfig } from '../config/index.ts';
import type { AppSlot } from './app-slot.ts';

/** The GitHub App with which people sign in: that of the environment, or the one that was set up in the browser. */
export function gitHubClientOf(
  { gitHubClient, gitHubAddress }: Pick<ServerConfig, 'gitHubClient' | 'gitHubAddress'>,
  occupant: ReturnType<AppSlot['occupant']>,
): GitHubClient | null {
  const stored = occupant?.stored ?? null;
  const client = gitHubClient ?? (stored?.signsIn === true ? stored : null);
  if (client === null) return null;
  const address = occupant?.credentials ?? gitHubAddress;
  const { clientId, clientSecret } = client;
  return { clientId, clientSecret, webUrl: webAddress(address), apiUrl: apiAddress(address) };
}
