import type { GitHubAppCredentials } from '../github/index.ts';
import type { GitHubConfig } from './config/index.ts';

/** Converts the App's credentials, from the settings or the database, to those of the GitHub client. */
export function toAppCredentials({
  appId,
  privateKey,
  webhookSecrets,
  host,
  protocol,
}: GitHubConfig): GitHubAppCredentials {
  const enterprise = host === null ? {} : { gheHost: host, gheProtocol: protocol };
  return { appId, privateKey, webhookSecrets, ...enterprise };
}
