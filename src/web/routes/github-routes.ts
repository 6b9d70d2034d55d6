import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GitHubSignIn } from '../../identity/index.ts';
import { accountPath, GITHUB_PATHS } from '../addresses.ts';
import { cookieFor } from '../sealed-cookie.ts';
import { originOf } from '../session.ts';
import { openedInvite } from './invite-routes.ts';
import { queryOf } from './oidc-routes.ts';
import { openSignInsCookie } from './open-sign-ins.ts';
import { mayChangeAccount } from './own-session.ts';
import { refuseFailed, refuseSignIn } from './refuse-sign-in.ts';
import { readNext } from './sign-in-routes.ts';
import { type PagesContext, renderNotFound, signedIn } from './signed-in.ts';

const NO_APP =
  'Nobody can sign in with GitHub here, because this server has no GitHub App for it; sign in another way.';

/** `/login/github` with its callback, and `/account/github`, which links an account. */
export function registerGitHub(app: FastifyInstance, context: PagesContext, gitHub: GitHubSignIn): void {
  const { name, attributes } = cookieFor(context.publicUrl, 'docloom-github');
  const openSignIns = openSignInsCookie(name, attributes);
  const invite = openedInvite(context);

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: { readonly returnTo: string; readonly linkTo: string | null },
  ): Promise<FastifyReply> {
    try {
      const begun = await gitHub.begin({ ...wanted, origin: originOf(request) });
      if (begun === null) return refuseSignIn(reply, 404, NO_APP);
      openSignIns.add(request, reply, begun.browserSecret);
      return reply.redirect(begun.url, 303);
    } catch (error) {
      return refuseFailed(reply, error, 403);
    }
  }

  app.get<{ Querystring: Record<string, unknown> }>(GITHUB_PATHS.signIn, (request, reply) =>
    begin(request, reply, { returnTo: readNext(request.query['next']), linkTo: null }),
  );

  // A link, not a form: a form may not lead to another site.
  app.get(
    GITHUB_PATHS.link,
    signedIn(context, async ({ request, reply, session }) =>
      mayChangeAccount(session)
        ? await begin(request, reply, { returnTo: `${accountPath}?done=github`, linkTo: session.userId })
        : reply.code(404).send(renderNotFound(session)),
    ),
  );

  app.get(GITHUB_PATHS.callback, async (request, reply) => {
    const session = await context.sessions.read(request);
    try {
      const { signIn, returnTo } = await gitHub.finish({
        query: new URLSearchParams(queryOf(request.url)),
        browserSecrets: openSignIns.secretsOf(request),
        userId: session !== null && mayChangeAccount(session) ? session.userId : null,
        inviteSecret: invite.read(request)?.secret ?? null,
        origin: originOf(request),
      });
      if (signIn !== null) await context.sessions.start(request, reply, signIn);
      return reply.redirect(returnTo, 303);
    } catch (error) {
      return refuseFailed(reply, error, 403);
    }
  });
}

/** The button of the sign-in page. */
export function gitHubProvider(next: string): { readonly label: string; readonly path: string } {
  const query = next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
  return { label: 'Sign in with GitHub', path: `${GITHUB_PATHS.signIn}${query}` };
}
