export { answeredStatus } from './answered-status.ts';
export {
  type AppManifest,
  type AppNeeds,
  appNeeds,
  buildManifest,
  MAX_APP_NAME,
  TIERS,
  type Tier,
} from './app-manifest.ts';
export { changeWebhookSecret, isKeyOf } from './change-webhook-secret.ts';
export { type CommitFiles, commitReader, type OpenCommit } from './commit-files.ts';
export { type Connection, type Missing, readConnection } from './connection.ts';
export { type AppAccess, type AppCredentials, openAppAccess } from './create-probot.ts';
export { currentDelivery } from './delivery-run.ts';
export { ExchangeError, exchangeCode, type RegisteredApp } from './exchange-code.ts';
export { explainError } from './explain-error.ts';
export { apiAddress, type GitHubAddress, hostName, webAddress } from './github-address.ts';
export { createGitHubApp, type GitHubApp, type GitHubAppConfig, type GitHubAppDeps } from './github-app.ts';
export { type CallScope, countContent, type Octokit, type TakeCall } from './octokit.ts';
export { ANNOTATIONS_PER_CHECK, type Annotation } from './pull-request/annotations.ts';
export type { CheckOutcome, Conclusion } from './pull-request/check-run.ts';
export { closeOvertaken } from './pull-request/close-overtaken.ts';
export { keepHeadRuns } from './pull-request/keep-head-runs.ts';
export * as markdown from './pull-request/markdown.ts';
export { type PullHint, type PullRequest, readPullRequest } from './pull-request/read-pull-request.ts';
export type { SeenPull } from './pull-request/seen-pull.ts';
export { type CommitStatus, postCommitStatus } from './push/commit-status.ts';
export { type FileVerdict, tellFile } from './push/file-check.ts';
export { gitBody } from './push/sync-space.ts';
export type { RateLimit } from './rate-limits.ts';
export { readTextFile } from './read-text-file.ts';
export {
  hasStatusCode,
  mintRemote,
  nullWhenMissing,
  type Repository,
  readBranchTip,
  readRepository,
  splitName,
} from './repository.ts';
export { CONFIG_PATH } from './repository-config.ts';
export { enqueueRecheck } from './webhooks/delivery-job.ts';
export { listDeliveryJobs } from './webhooks/list-delivery-jobs.ts';
export { registerWebhookRoute, WEBHOOK_PATH } from './webhooks/webhook-route.ts';
