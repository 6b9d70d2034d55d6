import type { FastifyInstance } from 'fastify';
import { renderContent } from '../views/content-view.ts';
import { inSpace } from './in-space.ts';
import { loadLiveRevision } from './live-revision.ts';
import type { PagesContext } from './signed-in.ts';

/** `/spaces/:spaceId/content`: all pages of a space. */
export function registerContent(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/content',
    inSpace(context, 'content', async ({ client, space, frame }) =>
      renderContent({ frame, revision: await loadLiveRevision(client, space) }),
    ),
  );
}
