/** A GitHub stand-in for one machine, for trying Docloom out and for testing it end to end. */
export type { ActiveFault, Fault, FaultDelivery, RequestFault, WebhookFault } from './faults.ts';
export type {
  ApiLogEntry,
  ApiRequest,
  Forge,
  ForgeOptions,
  ForgeRepository,
  NewRepositoryOptions,
} from './forge.ts';
export type { ForgeApp } from './forge-context.ts';
export { startForge } from './start-forge.ts';
export type {
  AnnotationRecord,
  CheckRunRecord,
  DeliveryAttempt,
  DeliveryRecord,
  Permissions,
  PullRecord,
  ReviewRecord,
  StatusRecord,
} from './state/records.ts';
