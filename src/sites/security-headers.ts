import { createHash } from 'node:crypto';
import { PLAYER_ORIGINS } from '../content/render/index.ts';
import { hasDiagram } from './views/has-diagram.ts';

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
 * What the policy of one page has beyond that of all pages: browsers may use the styles and scripts that are in its head,
 * and load pictures of the frame from where they are, the players of the videos that are on the page, and the document that
 * draws its diagrams, and send requests to the servers of its operations.
 *
 * @param html of the page
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
  const further = {
    'style-src': digestsOf(html, 'style'),
    'script-src': digestsOf(html, 'script'),
    'img-src': pictures,
    'connect-src': servers,
  };
  const withFrames = frames.length === 0 ? '' : `; frame-src ${frames.join(' ')}`;
  const policy = siteSecurityHeaders['content-security-policy'].replace(
    /([a-z-]+) 'self'/g,
    (own, directive: string) => [own, ...(further[directive as keyof typeof further] ?? [])].join(' '),
  );
  const whole = policy + withFrames;
  return whole === siteSecurityHeaders['content-security-policy'] ? {} : { 'content-security-policy': whole };
}

/** Of what the head of a page has in itself; what others wrote is only in its text. */
function digestsOf(html: string, element: 'style' | 'script'): readonly string[] {
  const head = html.slice(0, html.indexOf('</head>') + 1);
  return [...head.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
}

/** What a page is sent with that is only looked at, in a frame of this server's own pages: it runs and sends nothing. */
export function picturePolicy(html: string, pictures: readonly string[]): Readonly<Record<string, string>> {
  const styles = digestsOf(html, 'style').join(' ');
  return {
    'content-security-policy': `default-src 'none'; style-src ${styles}; img-src ${['data:', ...pictures].join(' ')}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox`,
    'x-frame-options': 'SAMEORIGIN',
    // With another value, browsers refuse to open what is in a sandbox in a window of its own.
    'cross-origin-opener-policy': 'unsafe-none',
  };
}
