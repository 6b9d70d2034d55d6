import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
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
} as const;
