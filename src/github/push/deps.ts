import type { Logger } from 'pino';
import type { PlatformClient } from '../../client/index.ts';
import type { RepositoryCache } from '../../git/index.ts';
import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import type { AppAccess, RepositoryName } from '../api/index.ts';

import type { Onboarding } from '../onboarding/index.ts';

export interface ImportDeps {
  readonly db: Database;
  readonly client: PlatformClient;
  readonly publicUrl: string;
}

export interface PushDeps extends ImportDeps {
  readonly organizationId: () => Promise<string>;
  readonly git: RepositoryCache;
  readonly queue: Queue;
  readonly onboarding: Onboarding;
  readonly access: AppAccess;
  readonly log: Logger;
  readonly asAdministrator?: AsAdministrator;
  /** Called when a default branch moved; it only enqueues jobs. */
  readonly onBranchMoved?: (branch: {
    readonly repositoryId: number;
    readonly installationId: number;
  }) => Promise<void>;
}

/** Does what only administrators of the platform may, with a client for that alone. `purpose` names it for people. */
export type AsAdministrator = <Result>(
  purpose: string,
  work: (client: PlatformClient) => Promise<Result>,
) => Promise<Result>;

/** A hint that a branch changed. */
export interface BranchHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
  readonly branch: string;
  /** The commit that a push made the branch's tip, which may have moved on since; null when there was no push. */
  readonly pushedOid: string | null;
  /** When it changed; null when that is not known. */
  readonly at: Date | null;
}
