import { FetchError } from './fetch-error.ts';
import { describeUrl, type HttpResponse } from './http-response.ts';

/** One request of a chain of redirects. Header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that are never secret, whatever the service. Any other (`x-api-key`) may be. */
const plainHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-length',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);

/**
 * Returns the request that a redirect leads to, or null when the response is not a redirect. Implements the rules of the Fetch
 * Standard: 303, and 301 and 302 after POST, become GET without a body; secrets are sent to their own origin only.
 *
 * @throws FetchError `bad-redirect` when it leads from https to http, or not to a web address
 */
export function nextHop(hop: Hop, response: HttpResponse): Hop | null {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return null;
  const url = URL.parse(location, hop.url.href);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new FetchError(
      'bad-redirect',
      `${describeUrl(hop.url)} redirects to something that is not a web address.`,
    );
  }
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new FetchError(
      'bad-redirect',
      `${describeUrl(hop.url)} redirects from https to http, which anyone on the way can read; use an https address.`,
    );
  }
  const dropsBody =
    (response.status === 303 && hop.method !== 'HEAD') ||
    ((response.status === 301 || response.status === 302) && hop.method === 'POST');
  const sameOrigin = url.origin === hop.url.origin;
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || plainHeaders.has(name)) && !(dropsBody && name.startsWith('content-')),
  );
  return {
    url,
    method: dropsBody ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: dropsBody ? undefined : hop.body,
  };
}
