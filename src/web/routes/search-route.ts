import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { searchPath } from '../addresses.ts';
import { renderSearch } from '../views/search-view.ts';
import { inSpace } from './in-space.ts';
import type { PagesContext } from './signed-in.ts';

const MAX_QUERY = 512;
const resultsShown = 20;

/** `/spaces/:spaceId/search?q=…` */
export function registerSearch(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/spaces/:spaceId/search',
    // Words of the address stand beside the private text of pages.
    { compress: false },
    inSpace(context, 'content', async ({ client, params, request, space, frame }) => {
      const { q, page } = request.query as { q?: unknown; page?: unknown };
      const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY) : '';
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
      return renderSearch({ frame, query, results: found.items, more });
    }),
  );
}
