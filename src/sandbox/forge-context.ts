import type { Faults } from './faults.ts';
import type { ActiveApp, ForgeApp, ForgeData } from './state/records.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** An App that was registered from a manifest, until its secrets are requested. */
export interface PendingApp {
  readonly privateKey: string;
  readonly clientSecret: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** A person who authorized the App, until the code is exchanged. */
export interface PendingAuthorization {
  readonly accountId: number;
  readonly redirectUri: string;
  /** Of PKCE (S256); null without. */
  readonly challenge: string | null;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The state that all parts of a running forge share. */
export interface ForgeContext {
  readonly data: ForgeData;
  readonly dataDir: string;
  readonly faults: Faults;
  readonly webhooks: WebhookSender;
  /** `http://host:port`, known once the server listens. */
  readonly url: string;
  readonly app: ActiveApp | null;
  /** By the code that is exchanged for the secrets. */
  readonly pendingApps: Map<string, PendingApp>;
  /** By the code that is exchanged for a user's token. */
  readonly pendingAuthorizations: Map<string, PendingAuthorization>;
  /** Registers the App, in place of an earlier one. */
  register(app: ForgeApp): void;
  now(): Date;
  nextId(): number;
  /** Saves the state; resolves when it is on disk. */
  save(): Promise<void>;
  /** Runs `work` after everything that was queued before under the same key. */
  enqueue<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** The folder of a repository's objects. It is named by the id, so no name from outside becomes a path. */
export function gitDirOf(context: Pick<ForgeContext, 'dataDir'>, repositoryId: number): string {
  return `${context.dataDir}/repositories/${repositoryId}.git`;
}

/** GitHub's timestamps have no fractions of a second. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
