import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { renderSearchEverything, type SearchedOrganization } from '../views/search-everything-view.ts';
import { readText } from './read-text.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

const MAX_QUERY = 512;
const SPACES_SHOWN = 20;
const ORGANIZATIONS_SEARCHED = 10;

/** `/search?q=…`: the pages of an organization, or of all, that match. */
export function registerSearchEverything(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/search',
    // Words of the address stand beside the private text of pages.
    { compress: false },
    signedIn(context, async ({ client, session, request }) => {
      const query = readText(request.query, 'q', MAX_QUERY).trim();
      const wanted = readText(request.query, 'organization', 100);
      const organizations =
        wanted === ''
          ? (await client.call(operations.listOrganizations, { query: { limit: ORGANIZATIONS_SEARCHED } }))
              .items
          : [await client.call(operations.getOrganization, { params: { organizationId: wanted } })];
      const found: SearchedOrganization[] = await Promise.all(
        organizations.map(async ({ id, title }) => {
          const params = { organizationId: id };
          const { items } =
            query === ''
              ? { items: [] }
              : await client.call(operations.searchOrganization, {
                  params,
                  query: { query, limit: SPACES_SHOWN },
                });
          return { organization: { id, title }, spaces: items };
        }),
      );
      return renderSearchEverything({ query, found, isOne: wanted !== '', user: session });
    }),
  );
}
