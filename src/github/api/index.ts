export { ANNOTATIONS_PER_CHECK, type Annotation } from './annotations.ts';
export {
  type AppAccess,
  createAppAccess,
  createProbot,
  type GitHubAppCredentials,
  openAppAccess,
} from './app-access.ts';
export { accountIdentity, botIdentity } from './bot-identity.ts';
export { createBoundedFetch } from './bounded-fetch.ts';
export {
  CHECK_NAME,
  type CheckOutcome,
  type CheckRunTarget,
  type Conclusion,
  completeCheckRun,
  listOpenRuns,
  openCheckRun,
  postCheckRun,
  updateCheckRunText,
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
export { graphqlErrorTypes, hasStatusCode, isOutOfReach, nullWhenMissing, responseStatus } from './errors.ts';
export { explainError } from './explain-error.ts';
export { describeProblems, type FileMistake, type FileReport, postFileCheck } from './file-check.ts';
export { apiAddress, type GitHubAddress, hostName, webAddress } from './github-address.ts';
export { type GrantedPermissions, readGrantedPermissions } from './granted-permissions.ts';
export { harmlessMarkdown } from './harmless-markdown.ts';
export { PER_PAGE, readAllPages } from './list-pages.ts';
export * as markdown from './markdown.ts';
export { type AcquireCall, type CallLimits, type CallScope, countContent, type Octokit } from './octokit.ts';
export { isForeign, type PullHint, type PullRequest, type Rerun, readPullRequest } from './pull-request.ts';
export { createHourlyLimits, type RateLimit } from './rate-limits.ts';
export { decodeUtf8, readTextFile } from './read-text-file.ts';
export {
  mintRemote,
  type Repository,
  type RepositoryName,
  readBranchTip,
  readRepository,
  repositoryCacheId,
  splitName,
} from './repository.ts';
export { type PullParameters, readShownLines, type ShownLines } from './shown-lines.ts';
