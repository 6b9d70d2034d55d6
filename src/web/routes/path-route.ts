import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { pagePath } from '../addresses.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

/**
 * `/spaces/:spaceId/at/<path>`: redirects to the page that has this path in the published space, had it before it moved, or
 * gets it by a redirect of the repository.
 */
export function registerPagePath(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/at/*',
    signedIn<{ spaceId: string; '*': string }>(context, async ({ client, params, reply }) => {
      const { spaceId, '*': path } = params;
      const page = await client.call(operations.getPageByPath, {
        params: { spaceId, pagePath: path === '' ? '/' : path },
        query: { format: 'markdown' },
      });
      return reply.redirect(pagePath(spaceId, page.id), 301);
    }),
  );
}
