import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderMessage } from '../views/message-view.ts';

/** In bytes. */
const USUAL_LIMIT = 16 * 1024;

type Context = { readonly publicUrl: string };

/** The options of a route that takes a form of this server's own pages. */
export function ownForm(context: Context, bodyLimit = USUAL_LIMIT) {
  return { preHandler: refuseForeignForms(context), bodyLimit } as const;
}

/**
 * The same for a form whose answer has a secret beside what the form said: a compressed answer would tell by its length how
 * much of both is the same.
 */
export function secretForm(context: Context, bodyLimit = USUAL_LIMIT) {
  return { ...ownForm(context, bodyLimit), compress: false } as const;
}

/** Answers forms that another site sends with 403, so that it cannot act for the user. */
function refuseForeignForms({ publicUrl }: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (isSameOrigin(request.headers, publicUrl)) return undefined;
    return reply.code(403).send(
      renderMessage({
        title: 'Not sent',
        sentence: `This form came from another site, so nothing was done. Open ${publicUrl} and try again there.`,
      }),
    );
  };
}

/**
 * Whether a form was sent from this server's own pages, by `Sec-Fetch-Site` (Fetch Metadata) or, from older browsers,
 * `Origin`. A request with neither does not come from a page, so it cannot abuse anybody's cookie.
 */
function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin;
}
