/** The sites room: published documentation, for readers and for machines. */
export { registerSites, type SitesDeps } from './register-sites.ts';
export { createSiteHosts, type SiteHosts } from './site-hosts.ts';
export { ReaderSignIn } from './visitor/reader-sign-in.ts';
