export type { CookieSealer, Download, PagesDeps, PagesLog } from './deps.ts';
export { registerPages } from './register-pages.ts';
