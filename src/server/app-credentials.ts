import type { GitHubAppCredentials } from '../github/index.ts';
import type { GitHubConfig } from './config/index.ts';

/** The App's credentials as the settings or the database hold them, for who calls GitHub. */
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
