/** What the status page needs from the server: the web room knows nothing of GitHub. Times are ISO 8601. */
import type { ExternalCounts, ScheduledExport } from './scheduled.ts';
import type { StatusSpec, StatusTranslation } from './status-configured.ts';

export interface StatusDelivery {
  readonly id: string;
  /** `push`, or `pull_request.opened`. */
  readonly event: string;
  readonly state: string;
  /** Why it failed or was requested again. */
  readonly error: string | null;
  readonly at: string;
}

/** What a job is about, of its repository. */
export type StatusSubject =
  | { readonly kind: 'branch' | 'tag'; readonly name: string }
  /** `id`: its number; a commit where the number is unknown. */
  | { readonly kind: 'pull-request'; readonly id: string }
  | { readonly kind: 'checks'; readonly oid: string }
  | { readonly kind: 'installation'; readonly id: string }
  /** `id`: its number. */
  | { readonly kind: 'issue' | 'discussion'; readonly id: string }
  /** Null for all of the repository. */
  | { readonly kind: 'conversations'; readonly of: string | null }
  /** Mirrored ones. `pull`: the number of the pull request. */
  | { readonly kind: 'comments'; readonly pull: number }
  /** `title`: of the space. */
  | { readonly kind: 'export'; readonly title: string }
  /** Null for all of them. */
  | { readonly kind: 'specifications'; readonly name: string | null }
  /** `directory`: of the translated space; null for the root. */
  | { readonly kind: 'translations'; readonly directory: string | null }
  | { readonly kind: 'repository' | 'pull-requests' | 'onboarding' | 'external-links' }
  | { readonly kind: 'unknown'; readonly text: string };

/** Work on a branch, a pull request or the like that waits, runs or failed. */
export interface StatusJob {
  readonly id: string;
  readonly subject: StatusSubject;
  readonly state: 'waiting' | 'running' | 'failed';
  readonly attempt: number;
  readonly error: string | null;
  /** When a waiting job is due; else since when it has this state. */
  readonly at: string;
}

export interface StatusBinding {
  readonly title: string;
  readonly branch: string;
  /** Empty for the root. */
  readonly directory: string;
  readonly spaceId: string | null;
  readonly liveOid: string | null;
  readonly error: string | null;
  readonly disconnected: string | null;
  /** When the platform's space is deleted, unless it was edited there or is connected again; null for never. */
  readonly removedAt: string | null;
  readonly importing: boolean;
  readonly updatedAt: string;
  /** The outcome of its last export; null when nothing was exported. */
  readonly exported: ScheduledExport | null;
  /** The states of the external addresses that its pages link to; null when none is known. */
  readonly linksOutside: ExternalCounts | null;
}

export interface StatusSite {
  readonly title: string;
  /** Null where none could be made yet. */
  readonly address: string | null;
  /** Whether others than members read it. */
  readonly isPublished: boolean;
  /** Why it is not as the configuration says. */
  readonly error: string | null;
}

export interface StatusRepository {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
  readonly disconnected: string | null;
  /** What is wrong with its newest configuration, which is then not used. */
  readonly configError: string | null;
  /** Why some of its issues or discussions are not among the conversations; null while none is missing. */
  readonly conversationsError: string | null;
  /** Why comments of its pull requests are not mirrored; null while they are, or need not be. */
  readonly mirrorError: string | null;
  readonly bindings: readonly StatusBinding[];
  /** The site that its configuration declares; null for none. */
  readonly site: StatusSite | null;
  readonly specifications: readonly StatusSpec[];
  readonly translations: readonly StatusTranslation[];
  readonly lastDelivery: StatusDelivery | null;
  /** When the external addresses of its pages are collected and checked next; null when they are not. */
  readonly linksOutsideNext: string | null;
  readonly jobs: readonly StatusJob[];
  /** GitHub's hourly limit for its installation, as this process last saw it. */
  readonly rateLimit: {
    readonly limit: number;
    readonly remaining: number;
    readonly resetsAt: string;
  } | null;
}

export interface StatusList {
  readonly repositories: readonly StatusRepository[];
  /** For the next page: the value of `after`; null on the last page. */
  readonly next: string | null;
}

/** A rate-limited queue, with its jobs. */
export interface StatusRateLimit {
  readonly key: string;
  /** The largest number of jobs that run at once. */
  readonly concurrency: number;
  /** At most `count` jobs start in `ms` milliseconds; all rates apply. */
  readonly rates: readonly { readonly count: number; readonly ms: number }[];
  readonly waiting: number;
  readonly running: number;
  readonly pausedUntil: string | null;
  readonly lastStart: string | null;
}

/** Jobs of one kind. */
export interface StatusQueue {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
}

/** A job that failed and is not retried any more. */
export interface StatusFailure {
  readonly id: string;
  /** The kind of job. */
  readonly name: string;
  /** What it was about: the name of a repository or space, an address, or ids. */
  readonly about: string;
  readonly attempts: number;
  readonly error: string;
  readonly at: string;
}

export interface StatusSchedule {
  /** The kind of job. */
  readonly name: string;
  readonly about: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly next: string;
}

/** All background work, of everybody: for administrators. */
export interface StatusWork {
  readonly queues: readonly StatusQueue[];
  /** Rate-limited queues with waiting or running jobs, and paused ones. */
  readonly rateLimits: readonly StatusRateLimit[];
  /** In the order of their next runs. */
  readonly schedules: readonly StatusSchedule[];
  /** Newest first; at most 100. */
  readonly failed: readonly StatusFailure[];
}

export interface StatusPages {
  /** Those whose name contains `find`, in any case; all when it is empty. */
  list(after: string | null, find: string): Promise<StatusList>;
  /** Null for an unknown repository. */
  find(repositoryId: number): Promise<StatusRepository | null>;
  /** Starts a sync of its branches with their current state. */
  sync(repositoryId: number): Promise<void>;
  /** The same for the repository that a space's content comes from. False when there is none. */
  syncSpace(spaceId: string): Promise<boolean>;
  /** Runs a failed job again. False when this repository has no such failed job. */
  retry(repositoryId: number, jobId: string): Promise<boolean>;
  /** Reads a specification now; one with a URL is fetched again. */
  readSpecification(repositoryId: number, name: string): Promise<void>;
  work(): Promise<StatusWork>;
  /** Runs any failed job again. False when there is no such failed job. */
  retryAny(jobId: string): Promise<boolean>;
}
