import { readFileSync } from 'node:fs';
import type { GitHubAddress } from '../../github/index.ts';
import type { GitHubClient } from '../../identity/index.ts';
import type { SettingsReader } from './settings-reader.ts';

export interface GitHubConfig extends GitHubAddress {
  readonly appId: number;
  readonly privateKey: string;
  /** The current secret first, then older ones that are still accepted. */
  readonly webhookSecrets: readonly string[];
}

/** With which people sign in, at the GitHub of the address. */
export type SignInClient = Pick<GitHubClient, 'clientId' | 'clientSecret'>;

export function readGitHubAddress(reader: SettingsReader): GitHubAddress {
  return {
    host: reader.text('GHE_HOST'),
    protocol: reader.choice('GHE_PROTOCOL', ['https', 'http'], 'https'),
  };
}

export function readGitHubConfig(reader: SettingsReader, address: GitHubAddress): GitHubConfig | null {
  const id = reader.text('APP_ID');
  if (id === null) return null;
  const appId = Number(id);
  if (!Number.isSafeInteger(appId) || appId < 1)
    reader.problem('APP_ID', "must be the App's number, as its settings page shows it");
  if (reader.text('WEBHOOK_SECRET') === null)
    reader.problem('WEBHOOK_SECRET', 'is missing: set it to the secret of the App’s webhook');
  return {
    appId,
    privateKey: readPrivateKey(reader),
    webhookSecrets: readWebhookSecrets(reader),
    ...address,
  };
}

function readPrivateKey(reader: SettingsReader): string {
  const path = reader.text('PRIVATE_KEY_PATH');
  let key = reader.text('PRIVATE_KEY');
  if (key === null && path !== null) {
    try {
      key = readFileSync(path, 'utf8').trim();
    } catch {
      reader.problem(
        'PRIVATE_KEY_PATH',
        `names ${path}, which cannot be read: check the path and its permissions`,
      );
      return '';
    }
  }
  if (key === null) {
    reader.problem('PRIVATE_KEY', "is missing: set it, or PRIVATE_KEY_PATH, to the App's private key");
    return '';
  }
  // A variable is one line, so line breaks are often written as the two characters `\n`, or the whole key as base64.
  const pem = key.includes('-----BEGIN')
    ? key.replaceAll('\\n', '\n')
    : Buffer.from(key, 'base64').toString('utf8');
  if (!/-----BEGIN (RSA )?PRIVATE KEY-----/.test(pem)) {
    reader.problem(
      'PRIVATE_KEY',
      'is not a private key in PEM form: download a new one from the App’s settings page',
    );
  }
  return pem;
}

/** The current one first. */
export function readWebhookSecrets(reader: SettingsReader): readonly string[] {
  const secrets = [reader.text('WEBHOOK_SECRET'), reader.text('WEBHOOK_SECRET_PREVIOUS')];
  return secrets.filter((value) => value !== null);
}

export function readGitHubClient(reader: SettingsReader): SignInClient | null {
  const [clientId, clientSecret] = [reader.text('GITHUB_CLIENT_ID'), reader.text('GITHUB_CLIENT_SECRET')];
  if (clientId !== null && clientSecret === null)
    reader.problem('GITHUB_CLIENT_SECRET', 'is missing: GITHUB_CLIENT_ID needs a client secret of the App');
  if (clientId === null && clientSecret !== null)
    reader.problem('GITHUB_CLIENT_ID', 'is missing: set it to the client ID that the App’s page shows');
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret };
}
