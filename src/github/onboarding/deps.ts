import type { Engine } from '../../content/index.ts';
import type { RepositoryCache } from '../../git/index.ts';
import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import type { AppAccess, RepositoryName } from '../api/index.ts';

/** Whether a configuration is proposed: `on`, `off`, or `wait`, which syncs nothing before the proposal is decided. */
export type Onboarding = 'on' | 'off' | 'wait';

export interface OnboardingDeps {
  readonly db: Database;
  readonly git: RepositoryCache;
  readonly queue: Queue;
  readonly engine: Engine;
  readonly publicUrl: string;
  readonly access: AppAccess;
  readonly onboarding: Onboarding;
}

export interface OnboardingHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
}
