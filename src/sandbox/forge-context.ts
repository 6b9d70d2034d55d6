import type { Faults } from './faults.ts';
import type { ActiveApp, ForgeApp, ForgeData } from './state/records.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** An App that was registered from a manifest, until its secrets are asked for. */
export interface PendingApp {
  readonly privateKey: string;
  readonly clientSecret: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** What all parts of one running forge share. */
export interface ForgeContext {
  readonly data: ForgeData;
  readonly dataDir: string;
  readonly faults: Faults;
  readonly webhooks: WebhookSender;
  /** `http://host:port`, known once the server listens. */
  readonly url: string;
  readonly app: ActiveApp | null;
  /** By the code for which the secrets are handed out. */
  readonly pendingApps: Map<string, PendingApp>;
  /** Makes this the App, in place of one before. */
  register(app: ForgeApp): void;
  now(): Date;
  nextId(): number;
  /** Writes the state down; resolves when it is on disk. */
  save(): Promise<void>;
  /** Runs `work` after everything that was queued before under the same key. */
  enqueue<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Where a repository's objects live. Folders are named by id, so no name from outside becomes a path. */
export function gitDirOf(context: Pick<ForgeContext, 'dataDir'>, repositoryId: number): string {
  return `${context.dataDir}/repositories/${repositoryId}.git`;
}

/** GitHub's timestamps have no fractions of a second. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
