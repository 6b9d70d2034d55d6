import type { DiscussionText } from './actions/discussions.ts';
import type { ApiRequest, UnexpectedRequest } from './api/api-request.ts';
import type { ActiveFault, Fault } from './faults.ts';
import type {
  AnnotationRecord,
  CheckRunRecord,
  DeliveryRecord,
  EmailRecord,
  ForgeApp,
  PullRecord,
  ReviewRecord,
  StatusRecord,
} from './state/records.ts';

export interface ForgeOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Contains the repositories and `state.json`; created when absent. One forge at a time uses it. */
  readonly dataDir: string;
  readonly app?: ForgeApp;
  /** Its address from outside (`http://forge:3000`), where that differs from where it listens. */
  readonly publicUrl?: string;
  /** Default: the machine's clock. Tokens expire and limits reset by it. */
  readonly now?: () => Date;
  /** REST requests an hour that each caller has. Default 5,000. */
  readonly requestsPerHour?: number;
  /** Called with a line for each response and each delivery; never with a secret. */
  readonly log?: (line: string) => void;
  /** Called for every REST request whose body could be read, before the response and before any fault. */
  readonly onRequest?: (request: ApiRequest) => void;
}

/** A REST request and the status of its response. */
export interface ApiLogEntry {
  readonly method: string;
  /** Below `/api/v3`, with its query. */
  readonly path: string;
  readonly status: number;
}

export interface NewRepositoryOptions {
  /** A login; the account is created when it is new. */
  readonly owner: string;
  readonly name: string;
  readonly private?: boolean;
  /** Default `main`. */
  readonly defaultBranch?: string;
}

export interface ForgeRepository {
  readonly id: number;
  /** `owner/name`. */
  readonly fullName: string;
  readonly cloneUrl: string;
}

/** A stand-in for GitHub on this machine: git over HTTP, webhooks, and the part of its REST API that the App calls. */
export interface Forge {
  /** `http://host:port`. */
  readonly url: string;
  /** `url` with `/api/v3`, as on an enterprise server. */
  readonly apiUrl: string;
  stop(): Promise<void>;

  /** Registers the App, in place of an earlier one. */
  configureApp(app: ForgeApp): void;
  /** The user of this login, created when new, with a new token each time. */
  createUser(login: string): { readonly login: string; readonly token: string };
  /** Sets the addresses of a user, who is created when new. */
  setEmails(login: string, emails: readonly EmailRecord[]): void;
  /** Grants a user write access to a repository, `owner/name`. */
  addCollaborator(repository: string, login: string): void;
  createRepository(options: NewRepositoryOptions): Promise<ForgeRepository>;
  /** Copies `source` (`owner/name`) to another owner. */
  fork(options: {
    readonly source: string;
    readonly owner: string;
    readonly name?: string;
  }): Promise<ForgeRepository>;
  /** Installs the App on an account's repositories (all, or these names), or changes which ones it has. */
  installApp(options: { readonly owner: string; readonly repositories: 'all' | readonly string[] }): {
    readonly installationId: number;
  };
  /** Uninstalls the App from an account, or suspends or unsuspends it there. */
  changeInstallation(owner: string, action: 'deleted' | 'suspend' | 'unsuspend'): void;
  /** Changes the settings of a repository (`owner/name`): renames it, archives it, or chooses the default branch. */
  editRepository(
    repository: string,
    change: { readonly name: string } | { readonly archived: boolean } | { readonly defaultBranch: string },
  ): void;
  /** Transfers a repository to another account, which is created when new. Returns it under its new name. */
  transferRepository(repository: string, owner: string): ForgeRepository;
  /**
   * Sends the events of a push by `login` for changes that were written directly into a repository's folder below the data
   * folder's `repositories/`. `repository` is `owner/name`.
   */
  recordPush(repository: string, login: string): Promise<void>;
  /** Adds a pull request to the merge queue: creates the group's branch, and requests its checks. Returns its head. */
  queueMerge(repository: string, number: number): Promise<string>;
  /** Presses one of a check run's buttons, as `login`. */
  requestAction(options: {
    readonly checkRunId: number;
    readonly identifier: string;
    readonly login: string;
  }): void;
  /** Requests to run a check again, as `login`. */
  rerequestCheckRun(options: { readonly checkRunId: number; readonly login: string }): void;
  /** Deletes an issue, or moves it to another repository; returns its number there. */
  deleteIssue(repository: string, number: number): void;
  transferIssue(repository: string, number: number, target: string): number;
  /** Opens a discussion as `login`. Returns its number. */
  openDiscussion(repository: string, login: string, text: DiscussionText): number;
  editDiscussion(repository: string, number: number, change: Partial<DiscussionText>): void;
  commentOnDiscussion(repository: string, number: number, login: string, body: string): void;
  deleteDiscussion(repository: string, number: number): void;
  /** Sends a delivery again, under the same guid. */
  redeliver(guid: string): void;

  readonly faults: { set(fault: Fault): ActiveFault; clear(): void };
  /** Every request that the stand-in does not know and answered with 501. Tests assert in the end that it is empty. */
  readonly unexpected: readonly UnexpectedRequest[];
  /** The newest 10,000 REST requests, oldest first. */
  readonly apiLog: readonly ApiLogEntry[];
  /** The newest 10,000 events, oldest first, with every attempt to deliver them. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Resolves when every push was recorded and every delivery attempted, except those that a fault delays. */
  waitForIdle(): Promise<void>;

  /** Whether this forge issued a token that is still valid. */
  knowsToken(token: string): boolean;
  repositories(): readonly ForgeRepository[];
  /** The pull requests of `owner/name`, oldest first. */
  pulls(repository: string): readonly PullRecord[];
  /** The reviews of a pull request, oldest first. */
  reviews(repository: string, number: number): readonly ReviewRecord[];
  /** The statuses of a repository, or of one commit, oldest first. */
  statuses(repository: string, sha?: string): readonly StatusRecord[];
  /** The check runs of a repository, or of one commit, oldest first, with their annotations. */
  checkRuns(
    repository: string,
    sha?: string,
  ): readonly (CheckRunRecord & { readonly annotations: readonly AnnotationRecord[] })[];
  /** Full ref name → oid, as of the last push. */
  refs(repository: string): Readonly<Record<string, string>>;
}
