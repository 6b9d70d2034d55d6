import type { Logger } from 'pino';
import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import type { AppAccess } from '../api/index.ts';

export interface ReconcileDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly access: AppAccess;
  readonly log: Logger;
  /** Which of these spaces lost bytes that another import fetches; none when absent. */
  readonly findLossy?: (spaceIds: readonly string[]) => Promise<ReadonlySet<string>>;
}
