export { SETUP_PATHS } from './addresses.ts';
export type { CookieSealer, PagesDeps, PagesLog } from './deps.ts';
export { registerPages } from './register-pages.ts';
export {
  type SetupConnection,
  type SetupNeed,
  type SetupPages,
  SetupProblem,
  type SetupProposal,
  type SetupWish,
} from './setup-pages.ts';
export type { StatusJob, StatusPages, StatusRepository } from './status-pages.ts';
