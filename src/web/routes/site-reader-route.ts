import type { FastifyInstance } from 'fastify';
import { SITE_SIGN_IN_PATH } from '../addresses.ts';
import type { PagesDeps } from '../deps.ts';
import { type PagesContext, renderNotFound, signedIn } from './signed-in.ts';

/**
 * `/site-sign-in`: leads whoever is signed in back to the host of sites that sent them, with a ticket to read there what
 * members read. It leads to hosts of this server's sites only, and the ticket is of use only in the browser that asked.
 */
export function registerSiteReader(
  app: FastifyInstance,
  context: PagesContext,
  siteReaders: NonNullable<PagesDeps['siteReaders']>,
): void {
  app.get(
    SITE_SIGN_IN_PATH,
    signedIn<object>(context, async ({ request, reply, session }) => {
      const { host, browser, to } = request.query as Readonly<Record<string, unknown>>;
      const isValid =
        typeof host === 'string' && typeof browser === 'string' && /^[0-9a-f]{64}$/.test(browser);
      const address = isValid
        ? await siteReaders.handOver(session.token, {
            host: host.toLowerCase(),
            browserHash: browser,
            returnTo: typeof to === 'string' ? to : '/',
          })
        : null;
      if (address === null) return reply.code(404).send(renderNotFound(session));
      return reply.header('referrer-policy', 'no-referrer').redirect(address, 303);
    }),
  );
}
