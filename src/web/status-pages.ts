/** What the status page needs from the server: the web room knows nothing of GitHub. Times are ISO 8601. */
import type { OutsideCounts, ScheduledExport } from './scheduled.ts';
import type { StatusSpec, StatusTranslation } from './status-configured.ts';

export interface StatusDelivery {
  readonly id: string;
  /** `push`, or `pull_request.opened`. */
  readonly event: string;
  readonly state: string;
  /** Why it failed or was asked for again. */
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
  /** Of a waiting one, when it is due; otherwise since when it is so. */
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
  readonly importing: boolean;
  readonly updatedAt: string;
  /** How its last export ended; null when nothing was exported. */
  readonly exported: ScheduledExport | null;
  /** How the addresses outside stand that its pages link to; null when none is known. */
  readonly linksOutside: OutsideCounts | null;
}

export interface StatusRepository {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
  readonly disconnected: string | null;
  /** What is wrong with its newest configuration, which is then not in force. */
  readonly configError: string | null;
  readonly bindings: readonly StatusBinding[];
  readonly specifications: readonly StatusSpec[];
  readonly translations: readonly StatusTranslation[];
  readonly lastDelivery: StatusDelivery | null;
  /** When the addresses outside that its pages link to are gathered and asked again; null when they are not. */
  readonly linksOutsideNext: string | null;
  readonly jobs: readonly StatusJob[];
  /** What is left of GitHub's hourly limit for its installation, as this process saw it last. */
  readonly rateLimit: {
    readonly limit: number;
    readonly remaining: number;
    readonly resetsAt: string;
  } | null;
}

export interface StatusList {
  readonly repositories: readonly StatusRepository[];
  /** Where the next ones begin. */
  readonly next: string | null;
}

/** A way out that is limited, with what goes and waits in it. */
export interface StatusRateLimit {
  readonly key: string;
  /** How many jobs run at once in it. */
  readonly concurrency: number;
  /** So many start in so many milliseconds; all hold. */
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

/** A job that ended as failed. */
export interface StatusFailure {
  readonly id: string;
  /** Its kind. */
  readonly name: string;
  /** What it was about: a repository's or space's name, an address, or ids. */
  readonly about: string;
  readonly attempts: number;
  readonly error: string;
  readonly at: string;
}

export interface StatusSchedule {
  /** Its kind. */
  readonly name: string;
  readonly about: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly next: string;
}

/** All that works in the background, whoever it is for: for administrators. */
export interface StatusWork {
  readonly queues: readonly StatusQueue[];
  /** Those that have jobs waiting or running, or are paused. */
  readonly rateLimits: readonly StatusRateLimit[];
  /** The next first. */
  readonly schedules: readonly StatusSchedule[];
  /** The latest first; at most 100. */
  readonly failed: readonly StatusFailure[];
}

export interface StatusPages {
  list(after: string | null): Promise<StatusList>;
  /** Null when it is not known. */
  find(repositoryId: number): Promise<StatusRepository | null>;
  /** Lets its branches be looked at as they are now. */
  sync(repositoryId: number): Promise<void>;
  /** Lets a failed job run again. False when there is no such failed job of this repository. */
  retry(repositoryId: number, jobId: string): Promise<boolean>;
  /** Lets a specification be looked at now: its address is fetched again. */
  readSpecification(repositoryId: number, name: string): Promise<void>;
  work(): Promise<StatusWork>;
  /** Lets a failed job run again, whatever it is about. False when there is no such failed job. */
  retryAny(jobId: string): Promise<boolean>;
}
