import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import type { SamlSignIn } from '../../identity/index.ts';
import { homePath } from '../addresses.ts';
import { originOf } from '../session.ts';
import { openSignInsCookie } from './open-sign-ins.ts';
import { registerProviderStarts } from './provider-start-routes.ts';
import { refuseFailed, refuseSignIn } from './refuse-sign-in.ts';
import type { PagesContext } from './signed-in.ts';

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
  const openSignIns = openSignInsCookie(cookieName, attributes);

  app.register(async (scope) => {
    registerProviderStarts(scope, context, {
      kind: 'saml',
      openSignIns,
      obstacle: isSecure || isOwnMachine(publicUrl) ? null : NEEDS_HTTPS,
      failedStatus: 403,
      begin: (wanted, request) => saml.begin({ ...wanted, address: request.ip }),
      find: (client, organizationId, samlProviderId) =>
        client.call(operations.getSamlProvider, { params: { organizationId, samlProviderId } }),
    });

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
