/** The state of the forge as plain records, which are written to `state.json` as they are. Times are ISO 8601 in UTC. */

export interface AccountRecord {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Organization' | 'Bot';
  readonly email: string;
  /** Addresses that only the user's own token shows; absent: none but `email`. */
  emails?: readonly EmailRecord[];
  readonly createdAt: string;
}

export interface EmailRecord {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

export type GrantedLevel = 'read' | 'write';
/** The permissions of an installation, by GitHub's names (`contents`, `checks`, …). */
export type Permissions = Readonly<Record<string, GrantedLevel>>;

/** The App's registration. The forge stores it if it came from a manifest; otherwise it is passed again at the next start. */
export interface ForgeApp {
  readonly id: number;
  readonly slug: string;
  /** The name for people; default: the slug. */
  readonly name?: string;
  /** Login of the account that it belongs to; default: its own bot. */
  readonly owner?: string;
  /** SPKI or PKCS #1 public key that the App's JWTs are verified with. */
  readonly publicKeyPem: string;
  /** Public keys of private keys that were created later; all are valid. */
  readonly laterKeys?: readonly string[];
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  /** The permissions of its installations; default: those of Docloom's manifest. */
  readonly permissions?: Permissions;
  /** Events that it receives besides `installation` and `installation_repositories`. */
  readonly events?: readonly string[];
  /** Where people may be redirected to after authorizing it; default: nowhere. */
  readonly callbackUrls?: readonly string[];
  /** SHA-256 of its client secret, in hex; without one nobody can authorize it. */
  readonly clientSecretHash?: string;
  /** The page to which a person is redirected after installing it; default: none. */
  readonly setupUrl?: string;
}

/** The App as the forge uses it. */
export interface ActiveApp extends Required<ForgeApp> {
  /** Acts for the App: `<slug>[bot]`. */
  readonly bot: AccountRecord;
  readonly createdAt: string;
}

/** A token. Only its SHA-256 is stored, never its text. */
export interface TokenRecord {
  readonly hash: string;
  /** A user's token, or null for the token of an installation. */
  readonly accountId: number | null;
  readonly installationId: number | null;
  /** Null: all repositories that the installation has. */
  readonly repositoryIds: readonly number[] | null;
  readonly permissions: Permissions;
  /** Null for tokens that do not expire. */
  readonly expiresAt: string | null;
}

export interface RepositoryRecord {
  readonly id: number;
  ownerId: number;
  name: string;
  /** The names (`owner/name`) that it had before it was renamed or transferred; absent: none. */
  formerNames?: readonly string[];
  readonly private: boolean;
  defaultBranch: string;
  /** Default: false. Nobody can write to an archived repository. */
  archived?: boolean;
  /** The id of the repository that it is a fork of. */
  readonly forkOf: number | null;
  collaboratorIds: readonly number[];
  readonly createdAt: string;
  updatedAt: string;
  /** Null until the first push. */
  pushedAt: string | null;
  /** Full ref name → oid as of the last push for which events were sent. */
  refs: Record<string, string>;
  /** Pull requests and issues share their numbers. */
  nextPullNumber: number;
}

export interface PullRecord {
  readonly id: number;
  readonly number: number;
  readonly repositoryId: number;
  readonly authorId: number;
  readonly headRepositoryId: number;
  readonly headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  title: string;
  body: string | null;
  draft: boolean;
  /** Whether people with write access to the base may push to the head, in a fork. Default: false. */
  readonly maintainerCanModify?: boolean;
  state: 'open' | 'closed';
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  mergedAt: string | null;
  mergedById: number | null;
  /** Those of the conversation. Absent: none. */
  comments?: readonly CommentRecord[];
  /** The merge of head into base, the target of `refs/pull/N/merge`; null when they conflict. */
  mergeSha: string | null;
}

/** An issue; unlike on GitHub, pull requests are not included. */
export interface IssueRecord {
  readonly id: number;
  readonly number: number;
  readonly repositoryId: number;
  readonly authorId: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'reopened' | null;
  /** Absent: none. */
  labels?: readonly string[];
  /** Absent: none. */
  comments?: readonly CommentRecord[];
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
}

/** Where an issue was before its transfer. */
export interface MovedIssueRecord {
  readonly repositoryId: number;
  readonly number: number;
  readonly issueId: number;
}

/** A comment on an issue, a discussion, or a pull request. */
export interface CommentRecord {
  readonly id: number;
  readonly authorId: number;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DiscussionRecord {
  readonly id: number;
  /** Discussions share their numbers with issues and pull requests. */
  readonly number: number;
  readonly repositoryId: number;
  readonly authorId: number;
  title: string;
  body: string;
  category: string;
  labels: readonly string[];
  comments: readonly CommentRecord[];
  readonly createdAt: string;
  updatedAt: string;
}

/** A review of a pull request, with its comments on lines of the new side. */
export interface ReviewRecord {
  readonly id: number;
  readonly repositoryId: number;
  readonly pullNumber: number;
  readonly authorId: number;
  readonly commitId: string;
  readonly body: string;
  readonly comments: readonly { readonly path: string; readonly line: number; readonly body: string }[];
  readonly submittedAt: string;
}

/** A comment on a line or a file of a pull request's changes. */
export interface ReviewCommentRecord extends CommentRecord {
  readonly repositoryId: number;
  readonly pullNumber: number;
  readonly commitId: string;
  readonly path: string;
  /** On the new side; null for one on the whole file. */
  readonly line: number | null;
  /** The first comment of its thread; null for that itself. */
  readonly replyTo: number | null;
  /** The review with which it was made; null for a single one. */
  readonly reviewId: number | null;
}

export type StatusState = 'error' | 'failure' | 'pending' | 'success';

export interface StatusRecord {
  readonly id: number;
  readonly repositoryId: number;
  readonly sha: string;
  readonly state: StatusState;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creatorId: number;
  readonly createdAt: string;
}

export interface AnnotationRecord {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column: number | null;
  readonly end_column: number | null;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly message: string;
  readonly title: string | null;
  readonly raw_details: string | null;
}

export interface CheckActionRecord {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface CheckRunRecord {
  readonly id: number;
  readonly suiteId: number;
  readonly repositoryId: number;
  readonly headSha: string;
  name: string;
  status: string;
  conclusion: string | null;
  externalId: string;
  detailsUrl: string | null;
  startedAt: string;
  completedAt: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: AnnotationRecord[];
  actions: readonly CheckActionRecord[];
}

/** Groups the check runs of a commit in a repository. */
export interface CheckSuiteRecord {
  readonly id: number;
  readonly repositoryId: number;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly createdAt: string;
}

export interface InstallationRecord {
  readonly id: number;
  readonly accountId: number;
  repositories: 'all' | readonly number[];
  /** Absent or null: not suspended. */
  suspendedAt?: string | null;
  readonly createdAt: string;
  updatedAt: string;
}

export interface ForgeData {
  readonly version: 1;
  /** One counter for ids of every kind. */
  nextId: number;
  accounts: AccountRecord[];
  tokens: TokenRecord[];
  repositories: RepositoryRecord[];
  installations: InstallationRecord[];
  pulls: PullRecord[];
  /** Absent: none. */
  reviews?: readonly ReviewRecord[];
  /** Absent: none. */
  reviewComments?: readonly ReviewCommentRecord[];
  /** Absent: none. */
  issues?: readonly IssueRecord[];
  /** Former numbers of transferred issues, which lead to where those are now. Absent: none. */
  movedIssues?: readonly MovedIssueRecord[];
  /** Absent: none. */
  discussions?: readonly DiscussionRecord[];
  statuses: StatusRecord[];
  checkSuites: CheckSuiteRecord[];
  checkRuns: CheckRunRecord[];
  /** The App, where it was registered from a manifest. */
  app?: ForgeApp;
}

/** An attempt to deliver a webhook. GitHub calls this a delivery, and each attempt has its own id. */
export interface DeliveryAttempt {
  readonly id: number;
  readonly redelivery: boolean;
  readonly at: string;
  /** Of the response; 502 when the host was not reached, 504 when it did not respond in time. */
  readonly statusCode: number;
  /** `OK`, or the reason in GitHub's words. */
  readonly status: string;
  readonly durationSeconds: number;
  readonly answer: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

/** An event to deliver to the App. All attempts share `guid`, the `X-GitHub-Delivery` header. */
export interface DeliveryRecord {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number;
  readonly repositoryId: number | null;
  /** The exact text that is signed and sent. */
  readonly body: string;
  readonly createdAt: string;
  readonly attempts: DeliveryAttempt[];
}

export function emptyForgeData(): ForgeData {
  return {
    version: 1,
    nextId: 1001,
    accounts: [],
    tokens: [],
    repositories: [],
    installations: [],
    pulls: [],
    statuses: [],
    checkSuites: [],
    checkRuns: [],
  };
}
