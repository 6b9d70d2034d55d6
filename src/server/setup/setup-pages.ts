import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import {
  appNeeds,
  buildManifest,
  ExchangeError,
  exchangeCode,
  type GitHubAddress,
  hostName,
  MAX_APP_NAME,
  responseStatus,
  type Tier,
  webAddress,
} from '../../github/index.ts';
import { createToken } from '../../platform/index.ts';
import type { CallQueues } from '../../queue/index.ts';
import {
  countRepositories,
  type Database,
  hasServerSecret,
  SESSION_DAYS,
  type Sealer,
} from '../../store/index.ts';
import {
  GITHUB_PATHS,
  SETUP_PATHS,
  type SetupConnection,
  type SetupPages,
  SetupProblem,
} from '../../web/index.ts';
import type { AppSlot } from './app-slot.ts';
import { changePrivateKey, changeSecret } from './change-keys.ts';
import { isSetupKey } from './setup-key.ts';
import { acceptedSecrets, type StoredApp } from './stored-app.ts';

/** Where GitHub sends people back to. */
const APP_PATHS = { ...SETUP_PATHS, signedIn: GITHUB_PATHS.callback };

export interface SetupPagesParts {
  readonly slot: AppSlot;
  readonly db: Database;
  readonly sealer: Sealer;
  readonly callQueues: CallQueues;
  readonly publicUrl: string;
  /** The initial value of the form. */
  readonly github: GitHubAddress;
  readonly clientFor: (token: string) => PlatformClient;
  readonly organizationId: () => Promise<string>;
  /** Whether the platform is this server's own, so that it can make tokens. */
  readonly ownPlatform: boolean;
}

/** Implements the set-up pages' operations with GitHub, the database and the App slot. */
export function createSetupPages(parts: SetupPagesParts): SetupPages {
  const { slot, db, sealer, publicUrl } = parts;
  return {
    isConnected: () => slot.occupant() !== null,
    connection: () => describe(parts),
    refresh: () => slot.refresh(),
    defaults: {
      github: parts.github.host === null ? 'github.com' : webAddress(parts.github),
      name: `Docloom ${new URL(publicUrl).hostname}`.slice(0, MAX_APP_NAME).trim(),
    },
    appProblem: () => slot.problem(),
    hasKey: () => hasServerSecret(db, 'setup-key'),
    isKey: (text) => isSetupKey(db, sealer, text),
    async isAdministrator(token) {
      try {
        const params = { organizationId: await parts.organizationId() };
        const { permissions } = await parts.clientFor(token).call(operations.getOrganization, { params });
        return permissions.admin;
      } catch (error) {
        if (error instanceof PlatformError && error.status < 500) return false;
        throw error;
      }
    },
    propose(request) {
      const github = readAddress(request.github);
      const organization = readOrganization(request.organization);
      if (github.host === null) refuseUnreachable(publicUrl);
      const tier: Tier = request.readOnly ? 'read-only' : 'full';
      const web = webAddress(github);
      const { permissions, events } = appNeeds(tier);
      return {
        host: hostName(github),
        origin: new URL(web).origin,
        action: `${web}${organization === null ? '' : `/organizations/${organization}`}/settings/apps/new`,
        manifest: JSON.stringify(
          buildManifest({ name: readName(request.name), publicUrl, tier, paths: APP_PATHS }),
        ),
        permissions,
        events,
        github,
      };
    },
    async register(github, code) {
      if (slot.occupant() !== null) throw new SetupProblem(TAKEN);
      try {
        if (!(await slot.fill(await exchangeCode(github, code)))) throw new SetupProblem(TAKEN);
      } catch (error) {
        throw error instanceof ExchangeError ? new SetupProblem(error.message) : error;
      }
      const problem = slot.problem();
      if (problem !== null) throw new SetupProblem(problem);
    },
    changeSecret: () => changeSecret(parts),
    changePrivateKey: (pem) => changePrivateKey(parts, pem),
    removeApp: () => slot.remove(),
    async makeToken() {
      if (!parts.ownPlatform) return null;
      // Nobody is shown it: it ends with the session for which it is made.
      const expiresAt = new Date(Date.now() + SESSION_DAYS.absolute * 24 * 60 * 60 * 1000);
      const name = 'set-up in the browser';
      const actor = { kind: 'server', id: null, name: 'the set-up key' } as const;
      return (await createToken(db, { name, role: 'admin', expiresAt, actor })).token;
    },
  };
}

const TAKEN =
  'This server has a GitHub App already, so the new one is not used. Remove the new one on its page on GitHub.';

async function describe({ slot, db }: SetupPagesParts): Promise<SetupConnection | null> {
  const occupant = slot.occupant();
  if (occupant === null) return null;
  const { credentials, stored } = occupant;
  return {
    host: hostName(credentials),
    appId: credentials.appId,
    name: stored?.name ?? null,
    url: stored?.url ?? null,
    source: stored === null ? 'environment' : 'set-up',
    earlierSecretUntil: earlierUntil(stored, new Date()),
    details: await loadDetails(slot),
    repositories: await countRepositories(db),
  };
}

/** Until when an earlier webhook secret is accepted; `open` while it is unknown which one GitHub uses. */
function earlierUntil(stored: StoredApp | null, now: Date): SetupConnection['earlierSecretUntil'] {
  if (stored === null || acceptedSecrets(stored, now).length === 1) return null;
  return stored.earlierUntil === undefined ? 'open' : new Date(stored.earlierUntil);
}

async function loadDetails(slot: AppSlot): Promise<SetupConnection['details']> {
  try {
    const { name, url, owner, tier, missing, installations, installationCount } = await slot.connection();
    return {
      name,
      url,
      owner,
      readOnly: tier === 'read-only',
      missing: [...missing.permissions, ...missing.events],
      installations: installations.map(({ missing: lacks, ...installation }) => ({
        ...installation,
        missing: [...lacks.permissions, ...lacks.events].map((need) => need.name),
      })),
      installationCount,
    };
  } catch (error) {
    const status = responseStatus(error);
    if (status === 401)
      return {
        problem: 'GitHub no longer accepts the App’s credentials. Was its private key deleted, or the App?',
      };
    return {
      problem:
        status === null
          ? 'GitHub could not be reached. The server’s log says more; this page tries again when you reload it.'
          : `GitHub answered ${status}. This page tries again when you reload it.`,
    };
  }
}

/** `github.com`, or a host with or without `https://`; with http only if the text says so. */
function readAddress(text: string): GitHubAddress {
  const trimmed = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '' || trimmed === '')
    throw new SetupProblem('Enter the address of your GitHub, such as github.com or github.company.example.');
  if (/^(www\.|api\.)?github\.com$/.test(url.hostname)) return { host: null, protocol: 'https' };
  return { host: url.host, protocol: url.protocol === 'http:' ? 'http' : 'https' };
}

/** https://docs.github.com/enterprise-cloud@latest/admin/identity-and-access-management: letters, digits, hyphens, and `_` of enterprises. */
function readOrganization(text: string): string | null {
  const name = text.trim().replace(/^@/, '');
  if (name === '') return null;
  if (/^[a-z\d][a-z\d_-]{0,99}$/i.test(name)) return name;
  throw new SetupProblem('Enter the organization as in its address, such as octo-org, without spaces.');
}

function readName(text: string): string {
  const name = text.trim();
  if (name !== '' && [...name].length <= MAX_APP_NAME) return name;
  throw new SetupProblem(`Enter a name of 1 to ${MAX_APP_NAME} characters for the App.`);
}

/** github.com refuses to register webhooks at addresses that it cannot reach. */
function refuseUnreachable(publicUrl: string): void {
  const { hostname } = new URL(publicUrl);
  if (
    !/^(localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)|\.(local|localhost|internal)$/.test(
      hostname,
    )
  )
    return;
  throw new SetupProblem(
    `github.com cannot reach ${publicUrl}, the address of this server. Set PUBLIC_URL to its address on the Internet, restart it, then open this page there.`,
  );
}
