import type { Logger } from 'pino';
import type { Engine } from '../../content/index.ts';
import type { RepositoryCache } from '../../git/index.ts';
import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import type { AppAccess } from '../api/index.ts';

export interface PullRequestDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly git: RepositoryCache;
  readonly engine: Engine;
  readonly publicUrl: string;
  readonly access: AppAccess;
  readonly log: Logger;
  readonly onPullRequestSeen?: OnPullRequestSeen;
}

/** A pull request that was checked, for work on files other than pages. */
export interface SeenPullRequest {
  readonly repositoryId: number;
  readonly installationId: number;
  readonly number: number;
  /** Whether it is known to change the repository's configuration. */
  readonly changesConfig: boolean;
  /** The delivery by which someone requested a new check, whatever the last one found. */
  readonly rerun?: string;
}

/** Called for each; it only enqueues jobs, so that nothing waits for it. */
export type OnPullRequestSeen = (pull: SeenPullRequest) => Promise<void>;
