/** What the status page needs from the server: the web room knows nothing of GitHub. Times are ISO 8601. */

export interface StatusDelivery {
  readonly id: string;
  /** `push`, or `pull_request.opened`. */
  readonly event: string;
  readonly state: string;
  /** Why it failed or was asked for again. */
  readonly error: string | null;
  readonly at: string;
}

/** Work on a branch or pull request that has not ended well. */
export interface StatusJob {
  readonly id: string;
  /** A branch's or tag's ref, `pull/7`, … */
  readonly subject: string;
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
  readonly lastDelivery: StatusDelivery | null;
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

export interface StatusPages {
  list(after: string | null): Promise<StatusList>;
  /** Null when it is not known. */
  find(repositoryId: number): Promise<StatusRepository | null>;
  /** Lets its branches be looked at as they are now. */
  sync(repositoryId: number): Promise<void>;
  /** Lets a failed job run again. False when there is no such failed job of this repository. */
  retry(repositoryId: number, jobId: string): Promise<boolean>;
}
