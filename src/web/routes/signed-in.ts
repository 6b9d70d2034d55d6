import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PlatformClient, PlatformError } from '../../client/index.ts';
import type { Session } from '../../identity/index.ts';
import { SIGN_IN_PATHS } from '../addresses.ts';
import type { PagesDeps } from '../deps.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import type { Sessions } from '../session.ts';
import { renderMessage } from '../views/message-view.ts';
import { answerSignedOut } from './answer-signed-out.ts';

/** Shared by all routes of the pages. */
export interface PagesContext extends PagesDeps {
  readonly sessions: Sessions;
  readonly knownBrowsers: KnownBrowsers;
  readonly now: () => Date;
}

export interface SignedIn<Params> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Params;
  readonly session: Session;
  /** Has the rights of the signed-in user, so people see only what the platform shows them. */
  readonly client: PlatformClient;
}

type Answer = string | FastifyReply;

/**
 * Makes a handler for people who are signed in. Others are sent to the form for that, and lose nothing of what they sent. What the platform does not show
 * them is answered with 404, and a revoked or expired token signs them out.
 */
export function signedIn<Params>(
  context: PagesContext,
  handler: (call: SignedIn<Params>) => Promise<Answer>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Answer> {
  return async (request, reply) => {
    const session = await context.sessions.read(request);
    if (session === null) return answerSignedOut(request, reply);
    try {
      const client = context.clientFor(session.token);
      return await handler({ request, reply, params: request.params as Params, session, client });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.status === 401) {
        await context.sessions.end(request, reply);
        return answerSignedOut(request, reply);
      }
      if (error.reason === 'sso-required') return reply.code(403).send(renderSsoRequired(session));
      if (error.status === 403 || error.status === 404) {
        return reply.code(404).send(renderNotFound(session));
      }
      throw error;
    }
  };
}

/** For members whose session did not pass the single sign-on that the organization requires; nobody else is told. */
function renderSsoRequired(user: Session): string {
  return renderMessage({
    title: 'Single sign-on needed',
    sentence: 'This organization takes only its own single sign-on, which this session has not passed.',
    link: { path: SIGN_IN_PATHS.sso, label: 'Sign in with it' },
    user,
  });
}

/** The same page for what does not exist and for what the user may not see, so that nobody can distinguish the two. */
export function renderNotFound(user: Session | null): string {
  return renderMessage({
    title: 'Not found',
    sentence:
      'There is nothing at this address, or you may not see it. It may have been renamed or removed in the repository.',
    user,
  });
}
