import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { FoundGroup } from './found-resource.ts';
import { SearchedSpace, SearchResult } from './search-result.ts';

const SearchQuery = Type.Object(
  {
    ...pagingFields,
    query: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'Words, `"exact phrases"`, and `-words` that must not occur. Case and accents are ignored, and a word also matches words that begin with it.',
    }),
  },
  { additionalProperties: false },
);

const rules =
  'The results are the pages with a section that contains all of the words; if there are none, the pages with any of the words; if there are none either, the pages that contain the text inside words. Titles rank above headings, and headings above body text. Pages that are hidden or have `noIndex` are left out.';

export const searchOperations = {
  searchSpace: defineOperation({
    id: 'searchSpaceContent',
    method: 'GET',
    path: '/spaces/:spaceId/search',
    tag: 'Search',
    summary: 'Search the content of a space; the best matches first.',
    description: rules,
    query: SearchQuery,
    responses: { 200: ListOf(SearchResult) },
    errors: ['role-too-low'],
  }),

  searchOrganization: defineOperation({
    id: 'searchOrganizationContent',
    method: 'GET',
    path: '/orgs/:organizationId/search',
    tag: 'Search',
    summary:
      'Search all spaces of an organization that the caller may see; the space with the best page first.',
    description: rules,
    query: SearchQuery,
    responses: { 200: ListOf(SearchedSpace) },
  }),

  findInOrganization: defineOperation({
    id: 'findInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/find',
    tag: 'Search',
    summary:
      'Find what an organization has by its name: spaces, change requests, sites, members and the like.',
    description:
      'Finds what the caller may see and whose name has all words of `query`, in any case and order: titles, the numbers of change requests (`#12`), the names of repositories, the names and addresses of members. Names that begin with the query come first. Only kinds with matches are in the answer.',
    query: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 512 }),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Of each kind.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Type.Object({ items: Type.Array(FoundGroup) }) },
    extension: true,
  }),
} as const;
