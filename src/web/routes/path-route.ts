import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { pagePath } from '../addresses.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

/**
 * `/spaces/:spaceId/at/<path>`: leads to the page at an address of the published space, also at one that it had before it
 * moved or that the repository redirects.
 */
export function registerPagePath(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/at/*',
    signedIn<{ spaceId: string; '*': string }>(context, async ({ client, params, reply }) => {
      const { spaceId, '*': place } = params;
      const page = await client.call(operations.getPageByPath, {
        params: { spaceId, pagePath: place === '' ? '/' : place },
        query: { format: 'markdown' },
      });
      return reply.redirect(pagePath(spaceId, page.id), 301);
    }),
  );
}
