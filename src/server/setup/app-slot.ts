import { isDeepStrictEqual } from 'node:util';
import type { Connection, GitHubApp, RegisteredApp } from '../../github/index.ts';
import { hostName, responseStatus } from '../../github/index.ts';
import type { Database, Sealer } from '../../store/index.ts';
import type { GitHubConfig } from '../config/index.ts';
import type { Logger } from '../log.ts';
import { endSetupKey, openSetupKey } from './setup-key.ts';
import {
  acceptedSecrets,
  credentialsOf,
  deleteStoredApp,
  loadStoredApp,
  type StoredApp,
  storeApp,
} from './stored-app.ts';

/** How often a process looks whether another one has set the App up, changed its keys or removed it. */
const POLL_MS = 3_000;
/** What GitHub said about the App is shown for so long before it is asked again. */
const FRESH_MS = 30_000;

/** An App that works. */
export interface BegunApp {
  readonly app: GitHubApp;
  /** Ends what was begun beside its jobs. */
  stop(): Promise<void>;
  /** Ends its jobs in this process: running ones get a moment, what does not end in it is handed back. */
  rest(): Promise<void>;
}

export interface AppSlotParts {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** The App of the environment, which comes before any other. */
  readonly environment: GitHubConfig | null;
  readonly publicUrl: string;
  /** Webhook secrets of the environment: accepted beside those of an App which was set up in the browser. */
  readonly moreSecrets: readonly string[];
  /** Puts an App together and lets it begin its work. */
  readonly begin: (credentials: GitHubConfig) => Promise<BegunApp>;
  /** Ends what is left to do for an App that was removed and works nowhere in this process any more. */
  readonly leave: (gone: GitHubApp) => Promise<void>;
}

/** The place of this process's GitHub App, which may be filled, changed and emptied while the server runs. */
export interface AppSlot {
  /** Fills the slot from the environment or the database, or says in the log how to set an App up. */
  start(): Promise<void>;
  /** Where the App in the slot lives and where its credentials come from; null while there is none. */
  occupant(): { readonly credentials: GitHubConfig; readonly stored: StoredApp | null } | null;
  app(): GitHubApp | null;
  webhookSecrets(): readonly string[];
  /** The same as the database has them now: another process may have changed them a moment ago. */
  newestWebhookSecrets(): Promise<readonly string[]>;
  /** Keeps an App that was just registered, and begins to serve it. False when there was one already. */
  fill(registered: RegisteredApp): Promise<boolean>;
  /** Takes in what the database holds now. */
  reload(): Promise<void>;
  /** Removes the App that was set up in the browser, and ends its work; other processes follow within seconds. */
  remove(): Promise<void>;
  /** What GitHub says about the App, at most half a minute old. Throws when GitHub does not say it. */
  connection(): Promise<Connection>;
  /** Something changed at GitHub: what it says is asked for again. */
  refresh(): void;
  /** Why the App that the database holds cannot be used; null when it can, or there is none. */
  trouble(): string | null;
  close(): Promise<void>;
}

interface Occupant extends BegunApp {
  readonly credentials: GitHubConfig;
  readonly stored: StoredApp | null;
}

/**
 * What begins and ends here goes one after the other. Nothing that an App does may wait for that: ending an App waits for
 * its work.
 */
export function openAppSlot(parts: AppSlotParts): AppSlot {
  const { db, sealer, log } = parts;
  const closing = new AbortController();
  let occupant: Occupant | null = null;
  let problem: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<unknown> = Promise.resolve();
  let asked: { readonly at: number; readonly answer: Promise<Connection> } | null = null;
  let reading: Promise<readonly string[]> | null = null;

  /** One after the other, so that an App never begins twice. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = busy.then(work);
    busy = turn.catch(() => undefined);
    return turn;
  }

  async function occupy(credentials: GitHubConfig, stored: StoredApp | null): Promise<void> {
    const before = occupant;
    try {
      occupant = { ...(await parts.begin(credentials)), credentials, stored };
    } finally {
      // Begun again at the next look where it could not.
      if (occupant === before) occupant = null;
    }
    problem = null;
    asked = null;
    void logConnection(credentials);
  }

  /** Makes the slot hold what the database holds. */
  async function look(): Promise<void> {
    if (closing.signal.aborted || isOfEnvironment(occupant)) return;
    const before = problem;
    const stored = await loadStoredApp(db, sealer).catch((error: Error) => error);
    // An App that works goes on while the database does not answer, which is told elsewhere.
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

  /** The App in the slot has other keys now, or is another one. */
  async function update(before: Occupant, stored: StoredApp): Promise<void> {
    if (isDeepStrictEqual(before.stored, stored)) return;
    const credentials = credentialsOf(stored);
    // Deliveries are judged by the new secrets from here on, also while the App begins anew.
    occupant = { ...before, credentials, stored };
    if (isDeepStrictEqual(withoutSecrets(before.credentials), withoutSecrets(credentials))) return;
    await before.stop();
    await before.rest();
    await occupy(credentials, stored);
  }

  async function empty(gone: Occupant): Promise<void> {
    occupant = null;
    asked = null;
    await gone.stop();
    await gone.rest();
    await parts.leave(gone.app);
    log.info({ app: gone.credentials.appId }, 'The GitHub App was removed from this server.');
    await logSetupKey();
  }

  async function logSetupKey(): Promise<void> {
    const key = await openSetupKey(db, sealer);
    // A warning, so that it is seen at most levels: without it nobody can begin.
    log.warn(
      { setup: `${parts.publicUrl}/setup?key=${key}` },
      'There is no GitHub App yet. Open the address of "setup" in a browser to make one.',
    );
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
      const lacks = [...missing.permissions, ...missing.events].map((one) => one.name);
      if (lacks.length > 0)
        log.warn({ lacks }, 'The GitHub App lacks permissions or events; docloom doctor says what to do.');
    } catch (error) {
      if (closing.signal.aborted) return;
      const status = responseStatus(error);
      const reason = status === null ? 'it cannot be reached' : `it answered ${status}`;
      log.warn({ host, reason }, 'GitHub did not say who the App is; docloom doctor says what to do.');
    }
  }

  function connection(): Promise<Connection> {
    if (occupant === null) throw new Error('There is no GitHub App yet.');
    if (asked === null || Date.now() - asked.at > FRESH_MS) {
      const answer = occupant.app.connection(closing.signal);
      answer.catch(() => {
        if (asked?.answer === answer) asked = null;
      });
      asked = { at: Date.now(), answer };
    }
    return asked.answer;
  }

  function withMore(secrets: readonly string[]): readonly string[] {
    return secrets.length === 0 ? [] : [...new Set([...secrets, ...parts.moreSecrets])];
  }

  async function readSecrets(): Promise<readonly string[]> {
    const stored = await loadStoredApp(db, sealer).catch(() => null);
    return stored === null ? [] : withMore(acceptedSecrets(stored, new Date()));
  }

  /** Only one at a time: anybody may send deliveries that are signed wrongly. */
  function readSecretsOnce(): Promise<readonly string[]> {
    reading ??= readSecrets().finally(() => {
      reading = null;
    });
    return reading;
  }

  function startPolling(): void {
    let looking = false;
    timer = setInterval(() => {
      if (looking) return;
      looking = true;
      void inTurn(look).finally(() => {
        looking = false;
      });
    }, POLL_MS);
    timer.unref();
  }

  return {
    async start() {
      const { environment } = parts;
      if (environment !== null) return await inTurn(() => occupy(environment, null));
      await inTurn(look);
      if (occupant === null) await logSetupKey();
      startPolling();
    },
    occupant: () => occupant,
    app: () => occupant?.app ?? null,
    webhookSecrets() {
      // Deliveries are taken from the first moment on; their work waits for the App.
      if (occupant?.stored) return withMore(acceptedSecrets(occupant.stored, new Date()));
      return withMore((occupant?.credentials ?? parts.environment)?.webhookSecrets ?? []);
    },
    newestWebhookSecrets: () =>
      parts.environment === null ? readSecretsOnce() : Promise.resolve(parts.environment.webhookSecrets),
    async fill(registered) {
      const won = await storeApp(db, sealer, registered);
      await inTurn(look);
      if (won) await endSetupKey(db);
      return won;
    },
    reload: () => inTurn(look),
    async remove() {
      if (isOfEnvironment(occupant)) return;
      await deleteStoredApp(db);
      await inTurn(look);
    },
    connection,
    refresh() {
      asked = null;
    },
    trouble: () => problem,
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
