import { createPrivateKey } from 'node:crypto';
import type { Logger } from 'pino';
import { Probot, type ProbotOctokit } from 'probot';
import type { CallQueues } from '../../queue/index.ts';
import { apiAddress } from './github-address.ts';
import { type CallLimits, type CallScope, createOctokitClass, type Octokit } from './octokit.ts';

/** What the App's calls are signed with, and where they go. */
export interface GitHubAppCredentials {
  readonly appId: number;
  /** In PEM. */
  readonly privateKey: string;
  /** The current secret first, then older ones that are still accepted while a rotation lasts. */
  readonly webhookSecrets: readonly string[];
  /** Host (and port) of a GitHub Enterprise Server, or `SUBDOMAIN.ghe.com`, in place of github.com. */
  readonly gheHost?: string;
  /** `https` by default. */
  readonly gheProtocol?: 'https' | 'http';
}

/** GitHub as the App sees it. */
export interface AppAccess {
  /** Acts as the App itself. */
  app(scope: CallScope): Promise<Octokit>;
  /** Acts as one of its installations. */
  on(installationId: number, scope: CallScope): Promise<Octokit>;
}

/** Calls GitHub as the App. Throws at once for a key or secret that cannot work. */
export function openAppAccess(
  credentials: GitHubAppCredentials,
  callQueues: CallQueues,
  log: Logger,
): AppAccess {
  return createAppAccess(createProbot(credentials, { callQueues }, log));
}

/** One Octokit for each piece of work, so that its calls stop with it. Tokens are shared: Probot caches them. */
export function createAppAccess(probot: Probot): AppAccess {
  const open = async (options: { readonly auth?: { readonly installationId: number } }, scope: CallScope) => {
    const shared = await probot.auth();
    const ScopedOctokit = shared.constructor as new (options: object) => Octokit;
    return new ScopedOctokit({ ...options, scope });
  };
  return {
    app: (scope) => open({}, scope),
    on: (installationId, scope) => open({ auth: { installationId } }, scope),
  };
}

/** Probot hides a failed initialisation and invents a missing secret, so everything that it needs is checked here first. */
export function createProbot(credentials: GitHubAppCredentials, limits: CallLimits, log: Logger): Probot {
  const [secret] = credentials.webhookSecrets;
  if (!secret || credentials.webhookSecrets.includes('')) {
    throw new Error(
      'The GitHub App needs a webhook secret; set WEBHOOK_SECRET to the secret in the App’s settings.',
    );
  }
  const baseUrl =
    credentials.gheHost === undefined
      ? {}
      : {
          baseUrl: apiAddress({ host: credentials.gheHost, protocol: credentials.gheProtocol ?? 'https' }),
        };
  return new Probot({
    appId: credentials.appId,
    privateKey: normaliseKey(credentials.privateKey),
    secret,
    log,
    // Probot's type names its own plugins, too: `context.config()` needs one of them, and nothing here uses it.
    Octokit: createOctokitClass(limits) as unknown as typeof ProbotOctokit,
    ...baseUrl,
  });
}

/** GitHub issues PKCS#1 keys; the library that signs the App's tokens needs PKCS#8 on some runtimes. */
function normaliseKey(pem: string): string {
  try {
    return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new Error(
      'The GitHub App’s private key is not an RSA key in PEM format; download a new one in the App’s settings.',
    );
  }
}
