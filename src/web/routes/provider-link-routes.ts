import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccountProblem, type ProviderLinks } from '../../identity/index.ts';
import { accountPath, providerLinkPath } from '../addresses.ts';
import { originOf } from '../session.ts';
import { renderMessage } from '../views/message-view.ts';
import { renderProviderLink } from '../views/provider-link-view.ts';
import { ownForm } from './own-forms.ts';
import { mayChangeAccount } from './own-session.ts';
import { type PagesContext, renderNotFound, type SignedIn, signedIn } from './signed-in.ts';

type Params = { readonly providerId: string };

/**
 * Begins to link an account at a provider. A link, not a form: a form may not lead to another site. What another site makes
 * of it ends at a page that asks for consent.
 */
export function startLink(
  context: PagesContext,
  start: (
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: { readonly providerId: string; readonly returnTo: string; readonly linkTo: string },
  ) => Promise<FastifyReply>,
) {
  return signedIn<Params>(context, async ({ request, reply, params, session }) => {
    const { userId } = session;
    if (userId === null || !mayChangeAccount(session)) return reply.code(404).send(renderNotFound(session));
    const linkable = (await context.providerLinks?.list(userId)) ?? [];
    const provider = linkable.find(({ id, account }) => id === params.providerId && account === null);
    if (provider === undefined) return reply.code(404).send(renderNotFound(session));
    return await start(request, reply, {
      providerId: provider.id,
      returnTo: providerLinkPath(provider.id),
      linkTo: userId,
    });
  });
}

/** `/account/sso/<provider>`: whom a provider named to somebody who links their account there, and their consent. */
export function registerProviderLinks(
  app: FastifyInstance,
  context: PagesContext,
  links: ProviderLinks,
): void {
  const path = `${accountPath}/sso/:providerId`;

  /** For the request of the person who is signed in, and no other. */
  const own = (handler: (call: SignedIn<Params>, userId: string) => Promise<string | FastifyReply | null>) =>
    signedIn<Params>(context, async (call) => {
      const { session, reply } = call;
      const { userId } = session;
      if (userId === null || !mayChangeAccount(session)) return reply.code(404).send(renderNotFound(session));
      return (
        (await handler(call, userId)) ??
        reply.code(404).send(
          renderMessage({
            title: 'Nothing to link',
            sentence: 'You did not sign in at a provider just now, or that is longer ago than ten minutes.',
            link: { path: accountPath, label: 'Begin again on the page of your account' },
            user: session,
          }),
        )
      );
    });

  app.get(
    path,
    own(async ({ params, session }, userId) => {
      const { providerId } = params;
      const found = await links.find({ providerId, userId });
      return found && renderProviderLink({ ...found, providerId, user: session });
    }),
  );

  app.post(
    path,
    ownForm(context, 1024),
    own(async ({ params, session, request, reply }, userId) => {
      try {
        const isLinked = await links.link({ providerId: params.providerId, userId }, originOf(request));
        return isLinked ? reply.redirect(`${accountPath}?done=sso`, 303) : null;
      } catch (error) {
        if (!(error instanceof AccountProblem)) throw error;
        return reply.code(403).send(
          renderMessage({
            title: 'Nothing was linked',
            sentence: error.message,
            link: { path: accountPath, label: 'Your account' },
            user: session,
          }),
        );
      }
    }),
  );
}
