import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent from this server's own pages. Browsers say so in `Sec-Fetch-Site` (Fetch Metadata), older
 * ones in `Origin`. A request with neither does not come from a page, so nobody's cookie is abused.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin;
}
