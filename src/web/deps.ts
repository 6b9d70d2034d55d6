import type { PlatformClient } from '../client/index.ts';
import type { ApiReport, LinkReport } from '../content/report/index.ts';
import type { ScheduledOfSpace } from './scheduled.ts';
import type { SetupPages } from './setup-pages.ts';
import type { StatusPages } from './status-pages.ts';

/** Keeps a text in a cookie so that only this server can read it. */
export interface CookieSealer {
  seal(text: string): string;
  /** Throws for a text that was not sealed here. */
  unseal(sealed: string): string;
}

export interface PagesLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the pages for people are built from. */
export interface PagesDeps {
  /** A client that acts for the owner of this token. */
  readonly clientFor: (token: string) => PlatformClient;
  readonly sealer: CookieSealer;
  /** Where people reach this server; decides whether cookies are for https only. */
  readonly publicUrl: string;
  /** The report of a pull request, by the id in its address. */
  readonly loadReport: (id: string) => Promise<LinkReport | ApiReport | null>;
  /** Setting up the GitHub App; without it there are no pages for that. */
  readonly setup?: SetupPages;
  /** How repositories and spaces stand; without it there is no page for that. */
  readonly status?: StatusPages;
  /** What the scheduler did for a space; null where it does nothing for it, or without it. */
  readonly loadScheduled?: (spaceId: string) => Promise<ScheduledOfSpace | null>;
  /** Why no push reaches these spaces any more, by space; those that are reached are left out. Without it none is asked. */
  readonly loadDisconnected?: (spaceIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: PagesLog;
  /** For ages such as “3 minutes ago”; the real time when left out. */
  readonly now?: () => Date;
}
