import type { Logger } from 'pino';
import type { PlatformClient } from '../client/index.ts';
import type { AppAccess } from '../github/index.ts';
import type { Http } from '../net/http.ts';
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
  readonly log: Logger;
}
