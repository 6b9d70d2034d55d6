export { ANNOTATIONS_PER_CHECK, type Annotation } from './annotations.ts';
export { type AppAccess, type AppCredentials, accessOf, createProbot, openAppAccess } from './app-access.ts';
export { accountIdentity, botIdentity } from './bot-identity.ts';
export { createBoundedFetch } from './bounded-fetch.ts';
export {
  CHECK_NAME,
  type CheckOutcome,
  type CheckRunPlace,
  type Conclusion,
  completeCheckRun,
  listOpenRuns,
  openCheckRun,
  postCheckRun,
  tellOnCheckRun,
} from './check-run.ts';
export { type CommitFiles, commitReader, type OpenCommit } from './commit-files.ts';
export {
  type CommitStatus,
  hasStatus,
  listStatuses,
  postCommitStatus,
  readStatus,
  statusContexts,
} from './commit-status.ts';
export { readIfChanged } from './conditional-request.ts';
export { answeredStatus, hasStatusCode, isOutOfReach, nullWhenMissing } from './errors.ts';
export { explainError } from './explain-error.ts';
export { describeProblems, type FileProblem, type FileReport, postFileCheck } from './file-check.ts';
export { apiAddress, type GitHubAddress, hostName, webAddress } from './github-address.ts';
export { type Granted, grantedTo } from './granted-permissions.ts';
export { listPages, PER_PAGE } from './list-pages.ts';
export * as markdown from './markdown.ts';
export { type CallLimits, type CallScope, countContent, type Octokit, type TakeCall } from './octokit.ts';
export { isForeign, type PullHint, type PullRequest, type Rerun, readPullRequest } from './pull-request.ts';
export { openRateLimits, type RateLimit } from './rate-limits.ts';
export { readTextFile } from './read-text-file.ts';
export {
  mintRemote,
  type Repository,
  type RepositoryName,
  readBranchTip,
  readRepository,
  splitName,
} from './repository.ts';
