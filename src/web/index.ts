export type { CookieSealer, PagesDeps, PagesLog } from './deps.ts';
export { registerPages } from './register-pages.ts';
