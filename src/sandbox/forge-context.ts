import type { Faults } from './faults.ts';
import type { AccountRecord, ForgeData, Permissions } from './state/records.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** The App's registration. The forge keeps one that came from a manifest; another is given again at the next start. */
export interface ForgeApp {
  readonly id: number;
  readonly slug: string;
  /** As people see it; default: the slug. */
  readonly name?: string;
  /** Login of the account that it belongs to; default: its own bot. */
  readonly owner?: string;
  /** SPKI or PKCS #1 public key that the App's JWTs are verified with. */
  readonly publicKeyPem: string;
  /** Public keys of private keys that were made for it later; each counts as the first does. */
  readonly laterKeys?: readonly string[];
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  /** What its installations may do; default: what Docloom's manifest asks for. */
  readonly permissions?: Permissions;
  /** Events that it hears besides `installation` and `installation_repositories`. */
  readonly events?: readonly string[];
  /** Where a person is led after installing it; default: nowhere. */
  readonly setupUrl?: string;
}

/** An App that was registered from a manifest, until its secrets are asked for. */
export interface PendingApp {
  readonly privateKey: string;
  readonly clientSecret: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The App as the forge uses it. */
export interface RegisteredApp extends Required<ForgeApp> {
  /** Acts for the App: `<slug>[bot]`. */
  readonly bot: AccountRecord;
  readonly createdAt: string;
}

/** What all parts of one running forge share. */
export interface ForgeContext {
  readonly data: ForgeData;
  readonly dataDir: string;
  readonly faults: Faults;
  readonly webhooks: WebhookSender;
  /** `http://host:port`, known once the server listens. */
  readonly url: string;
  readonly app: RegisteredApp | null;
  /** By the code for which the secrets are handed out. */
  readonly pendingApps: Map<string, PendingApp>;
  /** Makes this the App, in place of one before. */
  register(app: ForgeApp): void;
  now(): Date;
  nextId(): number;
  /** Writes the state down; resolves when it is on disk. */
  save(): Promise<void>;
  /** Runs `work` after everything that was queued before under the same key. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Where a repository's objects live. Folders are named by id, so no name from outside becomes a path. */
export function gitDirOf(context: Pick<ForgeContext, 'dataDir'>, repositoryId: number): string {
  return `${context.dataDir}/repositories/${repositoryId}.git`;
}

/** GitHub's timestamps have no fractions of a second. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
