import { pictureOrigins } from './choose-look.ts';
import type { SiteFrame } from './views/site-page.ts';

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

/** Lets browsers load the logo and the icon that the site chose from where they are. */
export function allowPictures(frame: Pick<SiteFrame, 'logo' | 'favicon'>): Readonly<Record<string, string>> {
  const origins = pictureOrigins(frame);
  if (origins.length === 0) return {};
  const policy = siteSecurityHeaders['content-security-policy'];
  return {
    'content-security-policy': policy.replace("img-src 'self'", `img-src 'self' ${origins.join(' ')}`),
  };
}
