import { isDeepStrictEqual } from 'node:util';
import type { Connection, GitHubApp, RegisteredApp } from '../../github/index.ts';
import { hostName, responseStatus } from '../../github/index.ts';
import { type Database, findOutage, type Sealer } from '../../store/index.ts';
import type { GitHubConfig } from '../config/index.ts';
import type { Logger } from '../log.ts';
import { deleteSetupKey, openSetupKey, setupAddress } from './setup-key.ts';
import {
  acceptedSecrets,
  credentialsOf,
  deleteStoredApp,
  loadStoredApp,
  type StoredApp,
  storeApp,
} from './stored-app.ts';

/** How often a process checks whether another one has set the App up, changed its keys or removed it. */
const POLL_MS = 3_000;
/** How long GitHub's description of the App is cached: pages that are opened together share one, and a reload has its own. */
const FRESH_MS = 1_000;

export interface RunningApp {
  readonly app: GitHubApp;
  /** Stops its intervals. */
  stop(): Promise<void>;
  /** Stops its jobs in this process: running ones get some seconds, and unfinished ones return to the queue. */
  stopJobs(): Promise<void>;
}

export interface AppSlotParts {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** The App of the environment, which takes precedence over a stored one. */
  readonly environment: GitHubConfig | null;
  readonly publicUrl: string;
  /** Webhook secrets of the environment, also accepted for an App that was set up in the browser. */
  readonly extraSecrets: readonly string[];
  /** Whether anybody can sign in other than with a token; null where the platform, and so its users, are on another server. */
  readonly hasPeople: (() => Promise<boolean>) | null;
  /** Creates an App and starts its work. */
  readonly startApp: (credentials: GitHubConfig) => Promise<RunningApp>;
  /** Called after an App was removed and its jobs in this process have stopped. */
  readonly onRemoved: (app: GitHubApp) => Promise<void>;
}

/** Holds this process's GitHub App, which can be set up, changed and removed while the server runs. */
export interface AppSlot {
  /** Starts the App of the environment or the database, or logs how to set one up. */
  start(): Promise<void>;
  /** The credentials of the current App, and its stored form unless it comes from the environment; null while there is none. */
  occupant(): { readonly credentials: GitHubConfig; readonly stored: StoredApp | null } | null;
  app(): GitHubApp | null;
  webhookSecrets(): readonly string[];
  /** The same, read from the database: another process may have changed them a moment ago. Rejects during an outage. */
  newestWebhookSecrets(): Promise<readonly string[]>;
  /** Stores an App that was just registered, and starts it. False when there was one already. */
  fill(registered: RegisteredApp): Promise<boolean>;
  /** Applies the current state of the database. */
  reload(): Promise<void>;
  /** Removes the App that was set up in the browser, and stops its work; other processes do so within seconds. */
  remove(): Promise<void>;
  /** The App as GitHub describes it, at most a second old. Throws when GitHub cannot be queried. */
  connection(): Promise<Connection>;
  /** Drops the cached description, after a change at GitHub. */
  refresh(): void;
  /** Why the stored App cannot be used; null when it can, or when there is none. */
  problem(): string | null;
  /** The key that opens the set-up page; null while nobody needs it. */
  setupKey(): Promise<string | null>;
  close(): Promise<void>;
}

interface Occupant extends RunningApp {
  readonly credentials: GitHubConfig;
  readonly stored: StoredApp | null;
}

/**
 * Apps are started and stopped one after the other. The work of an App must not wait for that, because stopping an App
 * waits for its work.
 */
export function openAppSlot(parts: AppSlotParts): AppSlot {
  const { db, sealer, log } = parts;
  const closing = new AbortController();
  let occupant: Occupant | null = null;
  let problem: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<unknown> = Promise.resolve();
  let described: { readonly at: number; readonly connection: Promise<Connection> } | null = null;
  let reading: Promise<readonly string[]> | null = null;

  /** Runs one task after the other, so that an App is never started twice. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = busy.then(task);
    busy = result.catch(() => undefined);
    return result;
  }

  async function occupy(credentials: GitHubConfig, stored: StoredApp | null): Promise<void> {
    const before = occupant;
    try {
      occupant = { ...(await parts.startApp(credentials)), credentials, stored };
    } finally {
      // If it could not start, the next poll tries again.
      if (occupant === before) occupant = null;
    }
    problem = null;
    described = null;
    void logConnection(credentials);
  }

  /** Applies the state of the database to the slot. */
  async function poll(): Promise<void> {
    if (closing.signal.aborted || isOfEnvironment(occupant)) return;
    const before = problem;
    const stored = await loadStoredApp(db, sealer).catch((error: Error) => error);
    // A running App continues while the database does not answer, which is reported elsewhere.
    if (stored instanceof Error && occupant !== null) return;
    try {
      if (stored instanceof Error) throw stored;
      if (stored === null) {
        problem = null;
        if (occupant !== null) await empty(occupant);
      } else if (occupant === null) await occupy(credentialsOf(stored), stored);
      else await update(occupant, stored);
    } catch (error) {
      problem = (error as Error).message;
      if (problem !== before)
        log.error({ reason: problem }, 'The GitHub App in the database cannot be used.');
    }
  }

  /** Restarts the App if anything but its webhook secrets changed. */
  async function update(before: Occupant, stored: StoredApp): Promise<void> {
    if (isDeepStrictEqual(before.stored, stored)) return;
    const credentials = credentialsOf(stored);
    // From here on deliveries are verified with the new secrets, also while the App restarts.
    occupant = { ...before, credentials, stored };
    if (isDeepStrictEqual(withoutSecrets(before.credentials), withoutSecrets(credentials))) return;
    await before.stop();
    await before.stopJobs();
    await occupy(credentials, stored);
  }

  async function empty(removed: Occupant): Promise<void> {
    occupant = null;
    described = null;
    await removed.stop();
    await removed.stopJobs();
    await parts.onRemoved(removed.app);
    log.info({ app: removed.credentials.appId }, 'The GitHub App was removed from this server.');
    await logSetup();
  }

  /** The key makes the first administrator and, before there are people, the App; afterwards administrators sign in. */
  async function setupKey(): Promise<string | null> {
    const isNeeded = parts.hasPeople === null ? occupant === null : !(await parts.hasPeople());
    return isNeeded ? await openSetupKey(db, sealer) : null;
  }

  async function logSetup(): Promise<void> {
    const key = await setupKey();
    if (key === null) {
      if (occupant === null)
        log.warn(
          { setup: `${parts.publicUrl}/setup` },
          'There is no GitHub App yet. Sign in as an administrator at the address of "setup" to create one.',
        );
      return;
    }
    const what =
      occupant === null
        ? 'There is no GitHub App yet. Open the address of "setup" in a browser to create one.'
        : 'Nobody has an account yet. Open the address of "setup" in a browser to make the administrator’s.';
    // A warning, so that it is logged at most levels: without it nobody can set up the server.
    log.warn({ setup: `${parts.publicUrl}${setupAddress(key)}` }, what);
  }

  async function logConnection(credentials: GitHubConfig): Promise<void> {
    const host = hostName(credentials);
    try {
      const { name, owner, tier, installations, missing } = await connection();
      const accounts = installations.map(({ account }) => account);
      log.info(
        { app: name, owner, host, tier, installations: accounts.slice(0, 50) },
        'Connected to GitHub.',
      );
      const lacks = [...missing.permissions, ...missing.events].map(({ name }) => name);
      if (lacks.length > 0)
        log.warn({ lacks }, 'The GitHub App lacks permissions or events; docloom doctor says what to do.');
    } catch (error) {
      if (closing.signal.aborted) return;
      const status = responseStatus(error);
      const reason = status === null ? 'it cannot be reached' : `it answered ${status}`;
      log.warn({ host, reason }, 'GitHub did not describe the App; docloom doctor says what to do.');
    }
  }

  function connection(): Promise<Connection> {
    if (occupant === null) throw new Error('There is no GitHub App yet.');
    if (described === null || Date.now() - described.at > FRESH_MS) {
      const connection = occupant.app.connection(closing.signal);
      connection.catch(() => {
        if (described?.connection === connection) described = null;
      });
      described = { at: Date.now(), connection };
    }
    return described.connection;
  }

  function withMore(secrets: readonly string[]): readonly string[] {
    return secrets.length === 0 ? [] : [...new Set([...secrets, ...parts.extraSecrets])];
  }

  async function readSecrets(): Promise<readonly string[]> {
    const stored = await loadStoredApp(db, sealer).catch((error: Error) => {
      // Whether there is an App is not known then.
      if (findOutage(error) !== null) throw error;
      return null;
    });
    return stored === null ? [] : withMore(acceptedSecrets(stored, new Date()));
  }

  /** One query at a time, because anybody can send deliveries with a wrong signature. */
  function readSecretsOnce(): Promise<readonly string[]> {
    reading ??= readSecrets().finally(() => {
      reading = null;
    });
    return reading;
  }

  function startPolling(): void {
    let isPolling = false;
    timer = setInterval(() => {
      if (isPolling) return;
      isPolling = true;
      void inTurn(poll).finally(() => {
        isPolling = false;
      });
    }, POLL_MS);
    timer.unref();
  }

  return {
    async start() {
      const { environment } = parts;
      await inTurn(() => (environment === null ? poll() : occupy(environment, null)));
      await logSetup();
      if (environment === null) startPolling();
    },
    occupant: () => occupant,
    app: () => occupant?.app ?? null,
    webhookSecrets() {
      // Deliveries are accepted from the start; their work waits for the App.
      if (occupant?.stored) return withMore(acceptedSecrets(occupant.stored, new Date()));
      return withMore((occupant?.credentials ?? parts.environment)?.webhookSecrets ?? []);
    },
    newestWebhookSecrets: () =>
      parts.environment === null ? readSecretsOnce() : Promise.resolve(parts.environment.webhookSecrets),
    async fill(registered) {
      const won = await storeApp(db, sealer, registered);
      await inTurn(poll);
      if (won) await deleteSetupKey(db);
      return won;
    },
    reload: () => inTurn(poll),
    async remove() {
      if (isOfEnvironment(occupant)) return;
      await deleteStoredApp(db);
      await inTurn(poll);
    },
    connection,
    refresh() {
      described = null;
    },
    setupKey,
    problem: () => problem,
    async close() {
      closing.abort();
      clearInterval(timer);
      await busy;
      await occupant?.stop();
    },
  };
}

function isOfEnvironment(occupant: Occupant | null): boolean {
  return occupant !== null && occupant.stored === null;
}

function withoutSecrets({ webhookSecrets: _, ...rest }: GitHubConfig): Omit<GitHubConfig, 'webhookSecrets'> {
  return rest;
}
