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
        'Words, `"words that follow each other"`, `-words` that must not be there. Case and accents do not count, and a word finds those that begin with it.',
    }),
  },
  { additionalProperties: false },
);

const rules =
  'Pages in which a section has all of the words come first and alone; when there is none, those with any of them; when there is none either, those that hold the text inside of words. Titles count more than headings, and these more than texts. Pages that are hidden or have `noIndex` are left out.';

export const searchOperations = {
  searchSpace: defineOperation({
    id: 'searchSpaceContent',
    method: 'GET',
    path: '/spaces/:spaceId/search',
    tag: 'Search',
    summary: 'Search the content of a space, the best first.',
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
