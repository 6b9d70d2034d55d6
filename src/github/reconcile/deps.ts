import type { Logger } from 'pino';
import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import type { AppAccess } from '../api/index.ts';

export interface ReconcileDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly access: AppAccess;
  readonly log: Logger;
}
