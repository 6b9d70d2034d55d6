export {
  branchOf,
  deliveryJob,
  enqueueRecheck,
  type FixRequest,
  findBusy,
  listDeliveryJobs,
  type Recheck,
  workOf,
} from './delivery-job.ts';
export { currentDelivery, type DeliveryRun, refuseExhausted, withDeliveryId } from './delivery-run.ts';
export {
  type CheckRunEvent,
  type CheckSuiteEvent,
  type DiscussionEvent,
  type Handlers,
  type InstallationEvent,
  type IssueEvent,
  type MergeGroupEvent,
  type PullRequestEvent,
  type PushEvent,
  pullOfGroup,
  type RepositoryChangeEvent,
  type RequestedActionEvent,
  type ReviewCommentEvent,
  type SubscriptionName,
  subscriptions,
} from './events.ts';
export { LATE_RECHECK, LATE_SECONDS } from './late-recheck.ts';
export { registerWebhookRoute, WEBHOOK_PATH } from './webhook-route.ts';
