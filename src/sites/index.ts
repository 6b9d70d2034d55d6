/** The sites room: published documentation, for readers and for machines. */
export { renderLookSample } from './look-sample.ts';
export { registerSites, type SitesDeps } from './register-sites.ts';
export type { AnswerFirst } from './repeat-at-once.ts';
export { createSiteHosts, type SiteHosts } from './site-hosts.ts';
export { findWeakColors } from './views/site-styles.ts';
export { ReaderSignIn } from './visitor/reader-sign-in.ts';
