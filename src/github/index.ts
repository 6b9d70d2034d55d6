export {
  type AcquireCall,
  ANNOTATIONS_PER_CHECK,
  type Annotation,
  type AppAccess,
  apiAddress,
  botIdentity,
  type CallScope,
  type CheckOutcome,
  type CommitFiles,
  type CommitStatus,
  type Conclusion,
  commitReader,
  countContent,
  explainError,
  type FileReport,
  type GitHubAddress,
  type GitHubAppCredentials,
  graphqlErrorTypes,
  harmlessMarkdown,
  hasStatusCode,
  hostName,
  isOutOfReach,
  markdown,
  mintRemote,
  nullWhenMissing,
  type Octokit,
  type OpenCommit,
  openAppAccess,
  type PullHint,
  type PullParameters,
  type PullRequest,
  postCommitStatus,
  postFileCheck,
  type RateLimit,
  type Repository,
  type RepositoryName,
  readBranchTip,
  readGrantedPermissions,
  readPullRequest,
  readRepository,
  readShownLines,
  readTextFile,
  responseStatus,
  type ShownLines,
  splitName,
  webAddress,
} from './api/index.ts';

export { createGitHubApp, type GitHubApp, type GitHubAppConfig, type GitHubAppDeps } from './github-app.ts';
export {
  closeOvertaken,
  type DiscussedPull,
  reconcileCheckRuns,
  type SeenPullRequest,
} from './pull-request/index.ts';

export type { ChangedQuestion } from './questions/index.ts';
export { removalTime } from './reconcile/index.ts';

export {
  type AppManifest,
  type AppNeeds,
  appNeeds,
  buildManifest,
  type Connection,
  changeWebhookSecret,
  ExchangeError,
  exchangeCode,
  isKeyOf,
  MAX_APP_NAME,
  type Missing,
  type RegisteredApp,
  readConnection,
  TIERS,
  type Tier,
} from './registration/index.ts';

export { CONFIG_PATH, gitBody } from './repository/index.ts';

export {
  currentDelivery,
  enqueueRecheck,
  listDeliveryJobs,
  registerWebhookRoute,
  WEBHOOK_PATH,
} from './webhooks/index.ts';
