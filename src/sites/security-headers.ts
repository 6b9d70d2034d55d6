import { PLAYER_ORIGINS } from '../content/render/index.ts';
import { hasDiagram } from './views/rare-blocks.ts';

/** Pages of sites run only the scripts of this server, and show pictures of their repositories only. */
export const siteSecurityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * What the policy of one page has beyond that of all pages: browsers may load pictures of the frame from where they are, the
 * players of the videos that are on the page, and the document that draws its diagrams, and send requests to the servers of
 * its operations.
 *
 * @param html of the page's text
 */
export function policyFor(
  html: string,
  pictures: readonly string[] = [],
  servers: readonly string[] = [],
): Readonly<Record<string, string>> {
  const frames = [
    ...(hasDiagram(html) ? ["'self'"] : []),
    ...PLAYER_ORIGINS.filter((origin) => html.includes(`data-player="${origin}/`)),
  ];
  if (pictures.length === 0 && frames.length === 0 && servers.length === 0) return {};
  const policy = siteSecurityHeaders['content-security-policy'];
  const withOrigins = policy
    .replace("img-src 'self'", () => ["img-src 'self'", ...pictures].join(' '))
    .replace("connect-src 'self'", () => ["connect-src 'self'", ...servers].join(' '));
  const withFrames = frames.length === 0 ? '' : `; frame-src ${frames.join(' ')}`;
  return { 'content-security-policy': `${withOrigins}${withFrames}` };
}
