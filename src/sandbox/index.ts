/** A stand-in for GitHub on one machine, for trying Docloom out and for testing it end to end. */
export type { ApiRequest } from './api/api-request.ts';
export type { ActiveFault, Fault, FaultDelivery, RequestFault, WebhookFault } from './faults.ts';
export type {
  ApiLogEntry,
  Forge,
  ForgeOptions,
  ForgeRepository,
  NewRepositoryOptions,
} from './forge.ts';
export { startForge } from './start-forge.ts';
export type {
  AnnotationRecord,
  CheckRunRecord,
  DeliveryAttempt,
  DeliveryRecord,
  ForgeApp,
  Permissions,
  PullRecord,
  ReviewRecord,
  StatusRecord,
} from './state/records.ts';
