import type { Logger } from 'pino';
import type { PlatformClient } from '../client/index.ts';
import type { AppAccess, OpenCommit } from '../github/index.ts';
import type { Http } from '../net/index.ts';
import type { Queue } from '../queue/index.ts';
import type { Database } from '../store/index.ts';

/** The dependencies of the scheduler. */
export interface SyncDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly client: PlatformClient;
  /** GitHub, as the App and as its installations. */
  readonly access: AppAccess;
  /** For addresses in pages: refuses private networks, and does not follow redirects. */
  readonly http: Http;
  readonly now: () => Date;
  readonly publicUrl: string;
  /** Access for API specifications; when absent, those of repositories are not synced. */
  readonly specs?: SpecAccess;
  readonly log: Logger;
}

export interface SpecAccess {
  readonly openCommit: OpenCommit;
  /** The organization that specifications belong to. */
  readonly organizationId: () => Promise<string>;
  /** The value of an operator's secret for requests to a host; null when there is none, or it is for other hosts. */
  readonly secretFor: (name: string, host: string) => string | null;
}

export type SpecDeps = SyncDeps & SpecAccess;
