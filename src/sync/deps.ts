import type { Logger } from 'pino';
import type { PlatformClient } from '../client/index.ts';
import type { AppAccess, OpenCommit } from '../github/index.ts';
import type { Http } from '../net/index.ts';
import type { Queue } from '../queue/index.ts';
import type { Database } from '../store/index.ts';

/** What the scheduler works with. */
export interface SyncDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly client: PlatformClient;
  /** GitHub, as the App and as its installations. */
  readonly access: AppAccess;
  /** For addresses that pages name: guarded, and following nothing by itself. */
  readonly http: Http;
  readonly now: () => Date;
  readonly publicUrl: string;
  /** What API specifications need; absent: those of repositories are not kept. */
  readonly specs?: SpecAccess;
  readonly log: Logger;
}

export interface SpecAccess {
  readonly openCommit: OpenCommit;
  /** The organization that specifications belong to. */
  readonly organizationId: () => Promise<string>;
  /** The value of a secret of the operator's for requests to a host; null where there is none, or it is for others. */
  readonly secretFor: (name: string, host: string) => string | null;
}

export type SpecDeps = SyncDeps & SpecAccess;
