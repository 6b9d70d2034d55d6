import type { Connection, GitHubApp, RegisteredApp } from '../../github/index.ts';
import { answeredStatus, hostName } from '../../github/index.ts';
import type { Database, Sealer } from '../../store/index.ts';
import type { GitHubConfig } from '../config.ts';
import type { Logger } from '../log.ts';
import { endSetupKey, openSetupKey } from './setup-key.ts';
import { loadStoredApp, type StoredApp, storeApp } from './stored-app.ts';

/** How often a process without an App looks whether another one has set it up. */
const LOOK_MS = 3_000;
/** What GitHub said about the App is shown for so long before it is asked again. */
const FRESH_MS = 30_000;

export interface AppSlotParts {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** The App of the environment, which comes before any other. */
  readonly environment: GitHubConfig | null;
  readonly publicUrl: string;
  /** Webhook secrets of the environment: accepted beside that of an App which was set up in the browser. */
  readonly moreSecrets: readonly string[];
  /** Puts an App together and lets it begin its work; the answer ends what was begun beside its jobs. */
  readonly begin: (credentials: GitHubConfig) => Promise<{ app: GitHubApp; end: () => Promise<void> }>;
}

/** The place of this process's GitHub App, which may be filled while the server runs. */
export interface AppSlot {
  /** Fills the slot from the environment or the database, or says in the log how to set an App up. */
  start(): Promise<void>;
  /** Looks whether another process has set an App up. */
  look(): Promise<void>;
  /** Where the App in the slot lives and where its credentials come from; null while there is none. */
  occupant(): { readonly credentials: GitHubConfig; readonly stored: StoredApp | null } | null;
  app(): GitHubApp | null;
  webhookSecrets(): readonly string[];
  /** Keeps an App that was just registered, and begins to serve it. False when there was one already. */
  fill(registered: RegisteredApp): Promise<boolean>;
  /** What GitHub says about the App, at most half a minute old. Throws when GitHub does not say it. */
  connection(): Promise<Connection>;
  /** Something changed at GitHub: what it says is asked for again. */
  refresh(): void;
  /** Why the App that the database holds cannot be used; null when it can, or there is none. */
  trouble(): string | null;
  close(): Promise<void>;
}

interface Occupant {
  readonly app: GitHubApp;
  readonly credentials: GitHubConfig;
  readonly stored: StoredApp | null;
  readonly end: () => Promise<void>;
}

export function openAppSlot(parts: AppSlotParts): AppSlot {
  const { db, sealer, log } = parts;
  const closing = new AbortController();
  let occupant: Occupant | null = null;
  let problem: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<unknown> = Promise.resolve();
  let asked: { readonly at: number; readonly answer: Promise<Connection> } | null = null;

  /** One after the other, so that an App never begins twice. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = busy.then(work);
    busy = turn.catch(() => undefined);
    return turn;
  }

  async function occupy(credentials: GitHubConfig, stored: StoredApp | null): Promise<void> {
    if (occupant !== null || closing.signal.aborted) return;
    occupant = { ...(await parts.begin(credentials)), credentials, stored };
    problem = null;
    clearInterval(timer);
    void tellConnection(credentials);
  }

  /** Takes the App that the database holds. */
  async function look(): Promise<void> {
    if (occupant !== null) return;
    const before = problem;
    try {
      const stored = await loadStoredApp(db, sealer);
      if (stored !== null) await occupy(credentialsOf(stored), stored);
      else problem = null;
    } catch (error) {
      problem = (error as Error).message;
      if (problem !== before)
        log.error({ reason: problem }, 'The GitHub App in the database cannot be used.');
    }
  }

  async function tellConnection(credentials: GitHubConfig): Promise<void> {
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
      const status = answeredStatus(error);
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

  return {
    async start() {
      const { environment } = parts;
      if (environment !== null) return await inTurn(() => occupy(environment, null));
      await inTurn(look);
      if (occupant !== null) return;
      const key = await openSetupKey(db, sealer);
      // A warning, so that it is seen at most levels: without it nobody can begin.
      log.warn(
        { setup: `${parts.publicUrl}/setup?key=${key}` },
        'There is no GitHub App yet. Open the address of "setup" in a browser to make one.',
      );
      timer = setInterval(() => void inTurn(look), LOOK_MS);
      timer.unref();
    },
    async look() {
      if (occupant === null) await inTurn(look);
    },
    occupant: () => occupant,
    app: () => occupant?.app ?? null,
    webhookSecrets() {
      // Deliveries are taken from the first moment on; their work waits for the App.
      const credentials = occupant?.credentials ?? parts.environment;
      return credentials === null ? [] : [...new Set([...credentials.webhookSecrets, ...parts.moreSecrets])];
    },
    async fill(registered) {
      const won = await storeApp(db, sealer, registered);
      await inTurn(look);
      if (won) await endSetupKey(db);
      return won;
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
      await occupant?.end();
    },
  };
}

function credentialsOf({ appId, privateKey, webhookSecrets, host, protocol }: StoredApp): GitHubConfig {
  return { appId, privateKey, webhookSecrets, host, protocol };
}
