export { GITHUB_PATHS, SETUP_PATHS } from './addresses.ts';
export type { CookieSealer, PageEvent, PagesDeps, PagesLog, SignInProvider } from './deps.ts';
export { registerPages } from './register-pages.ts';
export { gitHubProvider } from './routes/github-routes.ts';
export {
  type CarryingPull,
  type Disconnection,
  EXTERNAL_STATES,
  type ExpiringIgnores,
  type ExternalCounts,
  type ScheduledExport,
  type SchedulerResults,
  type SpaceRepository,
} from './scheduled.ts';
export { openSessions, originOf } from './session.ts';
export {
  type SetupConnection,
  type SetupNeed,
  type SetupPages,
  SetupProblem,
  type SetupProposal,
  type SetupRequest,
} from './setup-pages.ts';
export type { SiteLooks } from './site-looks.ts';
export type { StatusSpec, StatusTranslation } from './status-configured.ts';
export type {
  StatusFailure,
  StatusJob,
  StatusPages,
  StatusRepository,
  StatusSubject,
  StatusWork,
} from './status-pages.ts';
