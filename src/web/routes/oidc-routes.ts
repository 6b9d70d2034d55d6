import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../client/index.ts';
import type { OidcSignIn } from '../../identity/index.ts';
import { providerPath } from '../addresses.ts';
import { cookieFor } from '../sealed-cookie.ts';
import { originOf } from '../session.ts';
import { inOrganization } from './in-organization.ts';
import { openSignInsCookie } from './open-sign-ins.ts';
import { startLink } from './provider-link-routes.ts';
import { refuseFailed, refuseSignIn } from './refuse-sign-in.ts';
import { readNext } from './sign-in-routes.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';

type Params = { readonly providerId: string };

/** `/oidc/<provider>/start` and `/callback`, and the start of a test. */
export function registerOidc(app: FastifyInstance, context: PagesContext, oidc: OidcSignIn): void {
  // The provider redirects here, which sends cookies that are `Lax`.
  const { name, attributes } = cookieFor(context.publicUrl, 'docloom-oidc');
  const openSignIns = openSignInsCookie(name, attributes);

  async function start(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: { readonly providerId: string; readonly returnTo: string; readonly linkTo?: string },
  ): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    try {
      const begun = await oidc.begin({ ...wanted, origin: originOf(request) });
      if (begun === null)
        return refuseSignIn(
          reply,
          404,
          'This single sign-on does not exist or is not set up; sign in another way.',
        );
      openSignIns.add(request, reply, begun.browserSecret);
      return reply.redirect(begun.url, 303);
    } catch (error) {
      return refuseFailed(reply, error, 502);
    }
  }

  app.get<{ Params: Params; Querystring: Record<string, unknown> }>(
    '/oidc/:providerId/start',
    (request, reply) =>
      start(request, reply, {
        providerId: request.params.providerId,
        returnTo: readNext(request.query['next']),
      }),
  );

  app.get('/account/sso/oidc/:providerId/start', startLink(context, start));

  // A link, not a form: a form may not lead to another site.
  app.get(
    '/orgs/:organizationId/sso/oidc/:providerId/test/start',
    inOrganization<Params>(context, 'sso', async (call) => {
      const { client, organization, params, session, request, reply } = call;
      const { id: providerId } = await client.call(operations.getOidcProvider, {
        params: { organizationId: organization.id, oidcProviderId: params.providerId },
      });
      const path = providerPath('oidc', organization.id, providerId);
      if (session.userId === null) return reply.code(404).send(renderNotFound(session));
      const begun = await oidc.begin({
        providerId,
        returnTo: `${path}/test`,
        testedBy: session.userId,
        origin: originOf(request),
      });
      // Something is not entered yet.
      if (begun === null) return reply.redirect(`${path}?done=incomplete`, 303);
      openSignIns.add(request, reply, begun.browserSecret);
      return reply.header('cache-control', 'no-store').redirect(begun.url, 303);
    }),
  );

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
