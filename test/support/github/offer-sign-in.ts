import { createHash, generateKeyPairSync } from 'node:crypto';
import type { Forge } from '../../../src/sandbox/index.ts';

export const CLIENT_SECRET = 'hush-hush-hush';

/** The settings of a server whose people sign in at the stand-in for an enterprise server on this host. */
export function signInSettings(host: string) {
  return {
    GHE_HOST: host,
    GHE_PROTOCOL: 'http',
    ALLOWED_HOSTS: host,
    GITHUB_CLIENT_ID: 'Iv1.7',
    GITHUB_CLIENT_SECRET: CLIENT_SECRET,
  };
}

/** Lets people of the stand-in sign in at a server with these settings. */
export function offerSignIn(forge: Forge, serverUrl: string): void {
  const { publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  forge.configureApp({
    id: 7,
    slug: 'docs',
    publicKeyPem: publicKey,
    webhookUrl: `${serverUrl}/api/github/webhooks`,
    webhookSecret: 'x',
    callbackUrls: [`${serverUrl}/login/github/callback`],
    clientSecretHash: createHash('sha256').update(CLIENT_SECRET).digest('hex'),
  });
}
