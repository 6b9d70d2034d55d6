import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../platform/index.ts';

/** An authority without user information, RFC 3986, section 3.2; empty where the sender has none. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * Lets every request have one host, by RFC 9112, section 3.2: that of an address in absolute form counts, whatever `Host`
 * says, and whoever says two hosts, or none that can be one, is refused. So a proxy in front, which decides by either, and
 * what is served here can never mean different sites.
 *
 * @returns whether it answered, because the request has no host
 */
export function settleHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (hasOneHost(request)) return false;
  refuse(response);
  return true;
}

/** Returns whether the request has a host; the one of its address is then that of its headers. */
function hasOneHost(request: IncomingMessage): boolean {
  const { url = '/', headers, rawHeaders } = request;
  if (!HOST.test(headers.host ?? '') || hasTwoHosts(rawHeaders)) return false;
  if (url.startsWith('/') || url === '*') return true;
  const [, host = '', path = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === '' || !HOST.test(host)) return false;
  headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
  return true;
}

/** Node reports the first one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function refuse(response: ServerResponse): void {
  const error = new ApiError(
    'malformed-request',
    'The request has to name one host: send one Host header with a host, and no user name in the address.',
  );
  const body = JSON.stringify(error.toBody());
  response
    .writeHead(error.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(body);
}
