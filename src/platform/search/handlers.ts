import Type from 'typebox';
import { parseQuery, type SearchTerm } from '../../content/search/index.ts';
import {
  listSpaceLanguages,
  loadAncestorTitles,
  loadFoundPages,
  loadSearchScopes,
  type OrganizationScope,
  type SearchScope,
  searchPages,
  searchSpaces,
} from '../../store/index.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { locateContent } from '../content/locate-content.ts';
import type { PlatformDeps } from '../deps.ts';
import { findInOrganization } from './find-in-organization.ts';
import { presentSearchResult } from './present-search-result.ts';
import { searchLanguage } from './search-language.ts';
import { modesFor, type SearchMode, searchInModes } from './search-modes.ts';

const SECTIONS_PER_PAGE = 5;
const PAGES_PER_SPACE = 10;

const Mode = Type.Union([Type.Literal('all'), Type.Literal('any'), Type.Literal('inside')]);
const Score = Type.Integer({ minimum: 0, maximum: 2_000_000_000 });
const Id = Type.String({ maxLength: 64 });
/** All pages of a list come from the revision and the search mode of the first page. */
const PageKey = Type.Tuple([Id, Mode, Score, Id]);
const SpaceKey = Type.Tuple([Mode, Score, Id]);

export function searchHandlers(deps: PlatformDeps): HandlersOf<'search'> {
  const { db, publicUrl } = deps;
  return {
    async searchSpace({ caller, params, query }) {
      const key = readCursor('search', PageKey, query);
      const contentParams = key === null ? params : { ...params, revisionId: key[0] };
      const { space, revision } = await locateContent(db, caller, contentParams);
      const terms = parseQuery(query.query);
      const limit = limitOf(query);
      const scope: SearchScope = {
        spaceId: space.id,
        historyId: revision.historyId,
        version: revision.version,
        language: searchLanguage(space.language),
      };
      const after = key === null ? null : { score: key[2], id: key[3] };
      const { search, found } = await searchInModes(terms, modesOf(terms, key?.[1]), (modeSearch) =>
        searchPages(db, scope, modeSearch, { after, limit: limit + 1 }),
      );
      const ids = found.rows.slice(0, limit).map((hit) => hit.pageId);
      const [pages, ancestors] = await Promise.all([
        loadFoundPages(db, scope, search, ids, SECTIONS_PER_PAGE),
        loadAncestorTitles(db, scope, ids),
      ]);
      const { items, ...list } = toList(found, {
        list: 'search',
        limit,
        keyOf: (hit) => [revision.id, search.mode, hit.score, hit.pageId],
        present: (hit) => pages.get(hit.pageId),
      });
      const view = { spaceId: space.id, publicUrl, terms };
      const results = items.flatMap((page) =>
        page ? [presentSearchResult(page, { ...view, ancestors: ancestors.get(page.id) ?? [] })] : [],
      );
      return { ...list, items: results };
    },

    async searchOrganization({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const key = readCursor('organization-search', SpaceKey, query);
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const [selection, languages] = await Promise.all([
        accessMap.visibleSpaces(),
        listSpaceLanguages(db, organization.id),
      ]);
      const scope: OrganizationScope = {
        organizationId: organization.id,
        selection,
        languages: Map.groupBy(languages, searchLanguage),
      };
      const terms = parseQuery(query.query);
      const limit = limitOf(query);
      const after = key === null ? null : { score: key[1], id: key[2] };
      const { search, found } = await searchInModes(terms, modesOf(terms, key?.[0]), (modeSearch) =>
        searchSpaces(db, scope, modeSearch, { after, limit: limit + 1, perSpace: PAGES_PER_SPACE }),
      );
      const ids = found.rows.slice(0, limit).map(({ id }) => id);
      const shown = await loadSearchScopes(db, organization.id, { groups: [], ids });
      const spaces = new Map(shown.map((space) => [space.spaceId, space]));
      const { items, ...list } = toList(found, {
        list: 'organization-search',
        limit,
        keyOf: (hit) => [search.mode, hit.score, hit.id],
        present: (hit) => hit,
      });
      const presented = items.map(async ({ id, pages }) => {
        const space = spaces.get(id);
        // Deleted since it was found.
        if (space === undefined) return [];
        const pageIds = pages.map((hit) => hit.pageId);
        const language = searchLanguage(space.language);
        const [rows, ancestors] = await Promise.all([
          loadFoundPages(db, { ...space, language }, search, pageIds, SECTIONS_PER_PAGE),
          loadAncestorTitles(db, space, pageIds),
        ]);
        const view = { spaceId: id, publicUrl, terms };
        const results = pageIds
          .flatMap((pageId) => rows.get(pageId) ?? [])
          .map((page) => presentSearchResult(page, { ...view, ancestors: ancestors.get(page.id) ?? [] }));
        return [{ id, title: space.title, pages: results }];
      });
      return { ...list, items: (await Promise.all(presented)).flat() };
    },

    async findInOrganization({ caller, params, query }) {
      return { items: [...(await findInOrganization(deps, caller, { ...params, ...query }))] };
    },
  };
}

/** All modes for a new list; a list goes on in that of its first page. */
function modesOf(terms: readonly SearchTerm[], only: SearchMode | undefined): readonly SearchMode[] {
  return only === undefined ? modesFor(terms) : [only];
}
