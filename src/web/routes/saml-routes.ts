import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../client/index.ts';
import type { SamlSignIn } from '../../identity/index.ts';
import { homePath, providerPath } from '../addresses.ts';
import { originOf } from '../session.ts';
import { inOrganization } from './in-organization.ts';
import { openSignInsCookie } from './open-sign-ins.ts';
import { startLink } from './provider-link-routes.ts';
import { refuseFailed, refuseSignIn } from './refuse-sign-in.ts';
import { readNext } from './sign-in-routes.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';

/** In bytes: an answer of 256 KB in base64 and percent-encoding. */
const MOST_BYTES = 512 * 1024;

const NEEDS_HTTPS = 'Single sign-on needs https: set PUBLIC_URL to the https address of this server.';

type Params = { readonly providerId: string };

/** `/saml/<provider>/start`, `/acs` and `/metadata`. */
export function registerSaml(app: FastifyInstance, context: PagesContext, saml: SamlSignIn): void {
  const { publicUrl, sessions } = context;
  const isSecure = publicUrl.startsWith('https:');
  const cookieName = isSecure ? '__Host-docloom-saml' : 'docloom-saml';
  // The provider's form is posted from its own site, where browsers send no other cookies. They take `Secure` over http
  // from this machine, too.
  const attributes = { path: '/', httpOnly: true, secure: true, sameSite: 'none' } as const;
  const isUsable = isSecure || isOwnMachine(publicUrl);

  const openSignIns = openSignInsCookie(cookieName, attributes);

  app.register(async (scope) => {
    async function start(
      request: FastifyRequest,
      reply: FastifyReply,
      wanted: { readonly providerId: string; readonly returnTo: string; readonly linkTo?: string },
    ): Promise<FastifyReply> {
      if (!isUsable) return refuseSignIn(reply, 409, NEEDS_HTTPS);
      try {
        const begun = await saml.begin({ ...wanted, address: request.ip });
        if (begun === null)
          return refuseSignIn(
            reply,
            404,
            'This single sign-on does not exist or is not set up; sign in another way.',
          );
        openSignIns.add(request, reply, begun.browserSecret);
        return reply.header('cache-control', 'no-store').redirect(begun.url, 303);
      } catch (error) {
        return refuseFailed(reply, error, 403);
      }
    }

    scope.get<{ Params: Params; Querystring: Record<string, unknown> }>(
      '/saml/:providerId/start',
      (request, reply) =>
        start(request, reply, {
          providerId: request.params.providerId,
          returnTo: readNext(request.query['next']),
        }),
    );

    scope.get('/account/sso/saml/:providerId/start', startLink(context, start));

    // A link, not a form: a form may not lead to another site.
    scope.get(
      '/orgs/:organizationId/sso/saml/:providerId/test/start',
      inOrganization<Params>(context, 'sso', async (call) => {
        const { client, organization, params, session, request, reply } = call;
        const { id: providerId } = await client.call(operations.getSamlProvider, {
          params: { organizationId: organization.id, samlProviderId: params.providerId },
        });
        const path = providerPath('saml', organization.id, providerId);
        if (!isUsable) return refuseSignIn(reply, 409, NEEDS_HTTPS);
        if (session.userId === null) return reply.code(404).send(renderNotFound(session));
        const begun = await saml.begin({
          providerId,
          returnTo: `${path}/test`,
          address: request.ip,
          testedBy: session.userId,
        });
        // Something is not entered yet.
        if (begun === null) return reply.redirect(`${path}?done=incomplete`, 303);
        openSignIns.add(request, reply, begun.browserSecret);
        return reply.header('cache-control', 'no-store').redirect(begun.url, 303);
      }),
    );

    scope.post<{ Params: Params }>(
      '/saml/:providerId/acs',
      { bodyLimit: MOST_BYTES },
      async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const fields = (request.body ?? {}) as Record<string, unknown>;
        const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
        try {
          const ended = await saml.finish({
            providerId: request.params.providerId,
            form: textOf('SAMLResponse'),
            relayState: textOf('RelayState').slice(0, 200),
            browserSecrets: openSignIns.secretsOf(request),
            origin: originOf(request),
          });
          if (ended.session !== null) await sessions.adopt(request, reply, ended.session);
          return reply.redirect(ended.returnTo || homePath, 303);
        } catch (error) {
          return refuseFailed(reply, error, 403);
        }
      },
    );

    scope.get<{ Params: Params }>('/saml/:providerId/metadata', async (request, reply) => {
      const metadata = await saml.describe(request.params.providerId);
      if (metadata === null) return refuseSignIn(reply, 404, 'There is no single sign-on at this address.');
      return reply
        .type('application/samlmetadata+xml; charset=utf-8')
        .header('content-disposition', 'attachment; filename="docloom-metadata.xml"')
        .send(metadata);
    });
  });
}

function isOwnMachine(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
