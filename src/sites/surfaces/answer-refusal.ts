import type { FastifyReply, FastifyRequest } from 'fastify';
import { safeHref } from '../../markup/index.ts';
import { renderRefusal } from '../views/render-refusal.ts';
import { preferredLanguage } from '../views/words/index.ts';

export interface Refusal {
  readonly status: 401 | 403 | 404;
  /** One sentence for people and programs. */
  readonly reason: string;
}

/** The same for a site that does not exist and for one that this visitor may not see. */
export const NOTHING_HERE: Refusal = { status: 404, reason: 'There is nothing at this address.' };

/** To a program that cannot be sent to sign in. */
export const TOKEN_NEEDED: Refusal = {
  status: 401,
  reason:
    'This site is only for people who are signed in: send their sign-in token as “Authorization: Bearer”, or as jwt_token in the address.',
};

/** Longer addresses are not come back to. In characters. */
const MAX_PATH = 1_000;

/**
 * What is sent instead of a site: a page to people, a line of text to programs.
 *
 * @param reachedAt the path at which the request looked for the site
 * @param isAtHost whether it did so at a host of sites, where members sign in to read
 */
export function answerRefusal(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { status, reason }: Refusal,
  reachedAt: string,
  { isAtHost = false }: { readonly isAtHost?: boolean } = {},
): void {
  reply.code(status).headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
  if (request.headers.accept?.includes('text/html') !== true) {
    reply.type('text/plain; charset=utf-8').send(`${reason}\n`);
    return;
  }
  const page = renderRefusal({
    language: preferredLanguage(request.headers['accept-language'] ?? ''),
    // Where no site can be, the path may look like another host.
    assetsHref: safeHref(`${reachedAt}/~/assets/`) ?? '/~/assets/',
    reason: status === 404 ? null : reason,
    signInHref: isAtHost
      ? `/~/sign-in?to=${encodeURIComponent((request.originalUrl.split('?', 1)[0] ?? '').slice(0, MAX_PATH))}`
      : null,
  });
  reply.type('text/html; charset=utf-8').send(page);
}
