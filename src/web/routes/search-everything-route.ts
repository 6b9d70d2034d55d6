import type { FastifyInstance } from 'fastify';
import {
  type FoundGroup,
  type Organization,
  operations,
  type PlatformClient,
  PlatformError,
} from '../../client/index.ts';
import { matchDestinations } from '../views/destinations.ts';
import { listForPalette, listFound } from '../views/found-groups.ts';
import { renderPalette } from '../views/palette-view.ts';
import { renderSearchEverything, type SearchedOrganization } from '../views/search-everything-view.ts';
import { loadSpaceFrame } from './in-space.ts';
import { readText } from './read-text.ts';
import { type PagesContext, type SignedIn, signedIn } from './signed-in.ts';

const MAX_QUERY = 512;
const SPACES_SHOWN = 20;
const ORGANIZATIONS_SEARCHED = 10;
/** Of each kind, on the page and in the palette. */
const NAMES_SHOWN = 10;
const NAMES_LISTED = 4;
/** Spaces whose pages the palette lists, and the shortest query for which it looks into pages, in characters. */
const SPACES_LISTED = 4;
const SHORTEST_LISTED = 2;

/**
 * `/search?q=…`: everything of an organization, or of all, that somebody may see: what is called so, pages that match, and
 * pages of the dashboard. With `palette=1` the options of the palette, which its script asks for.
 */
export function registerSearchEverything(app: FastifyInstance, context: PagesContext): void {
  app.get(
    '/search',
    // Words of the address stand beside the private text of pages.
    { compress: false },
    signedIn(context, async (call) => {
      const { client, session, request } = call;
      const query = readText(request.query, 'q', MAX_QUERY).trim();
      const wanted = readText(request.query, 'organization', 100);
      const isPalette = readText(request.query, 'palette') === '1';
      const organizations = await loadOrganizations(client, wanted);
      const found = await Promise.all(
        organizations.map(async (organization): Promise<SearchedOrganization> => {
          const [groups, spaces] = await Promise.all([
            findNames(client, organization.id, { query, limit: isPalette ? NAMES_LISTED : NAMES_SHOWN }),
            query.length < (isPalette ? SHORTEST_LISTED : 1)
              ? []
              : searchPages(client, organization.id, {
                  query,
                  limit: isPalette ? SPACES_LISTED : SPACES_SHOWN,
                }),
          ]);
          return { organization, groups, spaces };
        }),
      );
      const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
      const destinations =
        query === '' && !isPalette
          ? []
          : matchDestinations({ organizations, inSpace: isPalette ? await loadPlace(call) : null }, words);
      const named = listFound(found);
      if (!isPalette)
        return renderSearchEverything({
          query,
          found,
          named,
          destinations,
          isOne: wanted !== '',
          user: session,
        });
      return renderPalette({
        lists: listForPalette({
          destinations,
          found: named,
          spaces: found.flatMap(({ spaces }) => spaces),
          isEmpty: query === '',
        }),
        query,
        organizationId: wanted === '' ? undefined : wanted,
      });
    }),
  );
}

async function loadOrganizations(client: PlatformClient, wanted: string): Promise<readonly Organization[]> {
  if (wanted !== '')
    return [await client.call(operations.getOrganization, { params: { organizationId: wanted } })];
  return (await client.call(operations.listOrganizations, { query: { limit: ORGANIZATIONS_SEARCHED } }))
    .items;
}

async function findNames(
  client: PlatformClient,
  organizationId: string,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<readonly FoundGroup[]> {
  if (query === '') return [];
  const params = { organizationId };
  return (await client.call(operations.findInOrganization, { params, query: { query, limit } })).items;
}

async function searchPages(
  client: PlatformClient,
  organizationId: string,
  query: { readonly query: string; readonly limit: number },
) {
  return (await client.call(operations.searchOrganization, { params: { organizationId }, query })).items;
}

/** The space from whose pages the palette was opened; null for another page, and for a space that is gone meanwhile. */
async function loadPlace({ client, request, session }: SignedIn<unknown>) {
  const spaceId = readText(request.query, 'space', 100);
  if (spaceId === '') return null;
  try {
    const space = await client.call(operations.getSpace, { params: { spaceId } });
    return await loadSpaceFrame(client, space, session);
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
