export type { AsAdministrator, BranchHint, PushDeps } from './deps.ts';
export { handlePush } from './handle-push.ts';
export { completeLateStatuses, lateStatusJob } from './late-status.ts';
export { syncBranch } from './sync-branch.ts';
