import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PlatformClient } from '../../client/index.ts';
import { providerPath } from '../addresses.ts';
import { inOrganization } from './in-organization.ts';
import type { OpenSignIns } from './open-sign-ins.ts';
import { startLink } from './provider-link-routes.ts';
import { refuseFailed, refuseSignIn } from './refuse-sign-in.ts';
import { readNext } from './sign-in-routes.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';

type Params = { readonly providerId: string };

/** A sign-in to begin: of anybody, to link an account (`linkTo`), or as a test by an administrator (`testedBy`). */
interface WantedSignIn {
  readonly providerId: string;
  readonly returnTo: string;
  readonly linkTo?: string;
  readonly testedBy?: string;
}

/** How sign-ins begin at providers of one protocol. */
export interface ProviderStarts {
  readonly kind: 'oidc' | 'saml';
  readonly openSignIns: OpenSignIns;
  /** Why none can begin on this server, as a sentence; null when they can. */
  readonly obstacle: string | null;
  /** The status when the provider answers with a failure. */
  readonly failedStatus: number;
  /** Where to send the browser, and the secret that only it keeps; null when the provider is missing or not set up. */
  begin(
    wanted: WantedSignIn,
    request: FastifyRequest,
  ): Promise<{ readonly url: string; readonly browserSecret: string } | null>;
  /** The provider as the API shows it to who is signed in. */
  find(client: PlatformClient, organizationId: string, providerId: string): Promise<{ readonly id: string }>;
}

/** `/<kind>/<provider>/start`, the start of a link to an account, and the start of a test. */
export function registerProviderStarts(
  app: FastifyInstance,
  context: PagesContext,
  { kind, openSignIns, obstacle, failedStatus, begin, find }: ProviderStarts,
): void {
  async function start(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: WantedSignIn,
  ): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    if (obstacle !== null) return refuseSignIn(reply, 409, obstacle);
    try {
      const begun = await begin(wanted, request);
      if (begun === null)
        return refuseSignIn(
          reply,
          404,
          'This single sign-on does not exist or is not set up; sign in another way.',
        );
      openSignIns.add(request, reply, begun.browserSecret);
      return reply.redirect(begun.url, 303);
    } catch (error) {
      return refuseFailed(reply, error, failedStatus);
    }
  }

  app.get<{ Params: Params; Querystring: Record<string, unknown> }>(
    `/${kind}/:providerId/start`,
    (request, reply) =>
      start(request, reply, {
        providerId: request.params.providerId,
        returnTo: readNext(request.query['next']),
      }),
  );

  app.get(`/account/sso/${kind}/:providerId/start`, startLink(context, start));

  // A link, not a form: a form may not lead to another site.
  app.get(
    `/orgs/:organizationId/sso/${kind}/:providerId/test/start`,
    inOrganization<Params>(context, 'sso', async (call) => {
      const { client, organization, params, session, request, reply } = call;
      const { id: providerId } = await find(client, organization.id, params.providerId);
      if (obstacle !== null) return refuseSignIn(reply, 409, obstacle);
      if (session.userId === null) return reply.code(404).send(renderNotFound(session));
      const path = providerPath(kind, organization.id, providerId);
      const begun = await begin({ providerId, returnTo: `${path}/test`, testedBy: session.userId }, request);
      // Something is not entered yet.
      if (begun === null) return reply.redirect(`${path}?done=incomplete`, 303);
      openSignIns.add(request, reply, begun.browserSecret);
      return reply.header('cache-control', 'no-store').redirect(begun.url, 303);
    }),
  );
}
