import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestOrigin } from '../../store/index.ts';

/** The header with which a page that calls the API names the browser for which it does. */
export const PAGE_ORIGIN_HEADER = 'docloom-page-origin';

/**
 * Tells calls that this process's own pages make for a browser from calls that anybody makes. Pages reach the API over the
 * loopback, so the address of the browser comes in a header; it is signed with a key that never leaves the process, and
 * together with the credentials of the call, so it says nothing about calls of anybody else.
 */
export interface PageOrigins {
  /** The value of the header for a call with this bearer token. */
  write(origin: RequestOrigin, token: string): string;
  /** Null unless a page of this process wrote it for a call with this token. */
  read(value: unknown, token: string): RequestOrigin | null;
}

export function createPageOrigins(): PageOrigins {
  const key = randomBytes(32);
  const sign = (content: string, token: string) =>
    createHmac('sha256', key).update(`${content}\n${token}`).digest('base64url');
  return {
    write({ address, userAgent, requestId }, token) {
      const content = Buffer.from(JSON.stringify([address, userAgent, requestId])).toString('base64url');
      return `${content}.${sign(content, token)}`;
    },
    read(value, token) {
      if (typeof value !== 'string') return null;
      const [content = '', signature = ''] = value.split('.');
      const [expected, received] = [Buffer.from(sign(content, token)), Buffer.from(signature)];
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) return null;
      const [address, userAgent, requestId] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
        string | null,
        string | null,
        string | null,
      ];
      return { address, userAgent, requestId };
    },
  };
}
