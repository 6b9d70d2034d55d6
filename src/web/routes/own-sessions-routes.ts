import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { ACCOUNT_PATHS } from '../addresses.ts';
import { renderSessions } from '../views/sessions-view.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { mayChangeAccount } from './own-session.ts';
import { readId } from './read-id.ts';
import { readText } from './read-text.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const SHOWN = 50;

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['one', 'The session was ended.'],
  ['others', 'All other sessions were ended.'],
]);

/** `/account/sessions`: where somebody is signed in. */
export function registerOwnSessions(app: FastifyInstance, context: PagesContext): void {
  const guarded = ownForm(context, 1024);

  app.get(
    ACCOUNT_PATHS.sessions,
    signedIn(context, async ({ client, session, request }) => {
      const { items, next } = await client.call(operations.listSessions, {
        query: { limit: SHOWN, ...pageOf(request) },
      });
      return renderSessions({
        sessions: items,
        more: nextPage(ACCOUNT_PATHS.sessions, next),
        news: NEWS.get(readText(request.query, 'done')) ?? null,
        isPartial: !mayChangeAccount(session),
        now: context.now(),
        user: session,
      });
    }),
  );

  app.post(
    ACCOUNT_PATHS.endSession,
    guarded,
    signedIn(context, async ({ client, request, reply }) => {
      await client.call(operations.endSession, { params: { sessionId: readId(request.body, 'id') } });
      return reply.redirect(`${ACCOUNT_PATHS.sessions}?done=one`, 303);
    }),
  );

  app.post(
    ACCOUNT_PATHS.endOtherSessions,
    guarded,
    signedIn(context, async ({ client, reply }) => {
      await client.call(operations.endOtherSessions, {});
      return reply.redirect(`${ACCOUNT_PATHS.sessions}?done=others`, 303);
    }),
  );
}
