import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import type { OidcSignIn } from '../../identity/index.ts';
import { cookieFor } from '../sealed-cookie.ts';
import { originOf } from '../session.ts';
import { openSignInsCookie } from './open-sign-ins.ts';
import { registerProviderStarts } from './provider-start-routes.ts';
import { refuseFailed } from './refuse-sign-in.ts';
import type { PagesContext } from './signed-in.ts';

type Params = { readonly providerId: string };

/** `/oidc/<provider>/start` and `/callback`, and the start of a test. */
export function registerOidc(app: FastifyInstance, context: PagesContext, oidc: OidcSignIn): void {
  // The provider redirects here, which sends cookies that are `Lax`.
  const { name, attributes } = cookieFor(context.publicUrl, 'docloom-oidc');
  const openSignIns = openSignInsCookie(name, attributes);

  registerProviderStarts(app, context, {
    kind: 'oidc',
    openSignIns,
    obstacle: null,
    failedStatus: 502,
    begin: (wanted, request) => oidc.begin({ ...wanted, origin: originOf(request) }),
    find: (client, organizationId, oidcProviderId) =>
      client.call(operations.getOidcProvider, { params: { organizationId, oidcProviderId } }),
  });

  app.get<{ Params: Params }>('/oidc/:providerId/callback', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      const ended = await oidc.finish({
        providerId: request.params.providerId,
        query: queryOf(request.url),
        browserSecrets: openSignIns.secretsOf(request),
        origin: originOf(request),
      });
      if (ended.session !== null) await context.sessions.adopt(request, reply, ended.session);
      return reply.redirect(ended.returnTo, 303);
    } catch (error) {
      return refuseFailed(reply, error, 403);
    }
  });
}

/** The query of a request's address as it came, with its question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
