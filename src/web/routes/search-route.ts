import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { searchPath } from '../addresses.ts';
import { renderSearch } from '../views/search-view.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const MAX_QUERY = 512;
const resultsShown = 20;

/** `/spaces/:spaceId/search?q=…` */
export function registerSearch(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/search',
    // Words of the address stand beside the private text of pages.
    { compress: false },
    signedIn<{ readonly spaceId: string }>(context, async ({ client, session, params, request }) => {
      const { q, page } = request.query as { q?: unknown; page?: unknown };
      const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY) : '';
      const space = await client.call(operations.getSpace, { params });
      const found =
        query === ''
          ? { items: [], next: undefined }
          : await client.call(operations.searchSpace, {
              params,
              query: { query, limit: resultsShown, ...(typeof page === 'string' && { page }) },
            });
      const more = found.next
        ? `${searchPath(space.id)}?q=${encodeURIComponent(query)}&page=${encodeURIComponent(found.next.page)}`
        : null;
      return renderSearch({ space, query, results: found.items, more, user: session });
    }),
  );
}
