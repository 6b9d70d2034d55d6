import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { spacePartPath } from '../addresses.ts';
import { renderSpaceSyncs } from '../views/space-syncs-view.ts';
import { submit, UnusableInput } from './in-organization.ts';
import { type InSpace, inSpace } from './in-space.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const path = '/spaces/:spaceId/syncs';

/** `/spaces/:spaceId/syncs`: the imports and exports of a space, and a new import. */
export function registerSpaceSyncs(app: FastifyInstance, context: PagesContext): void {
  async function show({ client, space, frame, params, request }: InSpace<unknown>, problem: string | null) {
    const [{ items, next }, repository] = await Promise.all([
      client.call(operations.listGitOperations, {
        params,
        query: { limit: SHOWN, ...pageOf(request) },
      }),
      context.loadSpaceRepository?.(space.id) ?? null,
    ]);
    const isStarted = problem === null && readText(request.query, 'done') === 'started';
    return renderSpaceSyncs({
      frame,
      operations: items,
      repository,
      maySync:
        context.status !== undefined && space.gitSync !== undefined && space.permissions.triggerGitSync,
      more: nextPage(spacePartPath(space.id, 'syncs'), next),
      news: isStarted ? 'The sync was started. Reload this page to see how it goes.' : null,
      problem,
      now: context.now(),
    });
  }
  app.get(
    path,
    inSpace(context, 'syncs', (call) => show(call, null)),
  );
  app.post(
    path,
    ownForm(context),
    inSpace(context, 'syncs', (call) =>
      submit(
        call.reply,
        async () => {
          const { space, reply } = call;
          if (!space.permissions.triggerGitSync)
            throw new UnusableInput('Your role in this space does not let you start a sync.');
          if ((await context.status?.syncSpace(space.id)) !== true)
            throw new UnusableInput(
              'No connected repository is bound to this space, so there is nothing to sync.',
            );
          return reply.redirect(`${spacePartPath(space.id, 'syncs')}?done=started`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}
