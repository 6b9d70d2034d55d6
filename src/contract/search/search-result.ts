import Type, { type Static } from 'typebox';
import { Id, Url } from '../scalars.ts';

/** A section of a page that matches. */
export const SearchSection = Type.Object({
  id: Type.String({
    description:
      'The anchor of its heading, in the page’s own format; the page’s id for the part before the first heading.',
  }),
  title: Type.String(),
  path: Type.String({ description: 'The page’s path, with the anchor as fragment.' }),
  body: Type.String({ description: 'The text around the match, without markup.' }),
  urls: Type.Object({ app: Url }),
});

export const SearchResult = Type.Object(
  {
    id: Id,
    title: Type.String(),
    path: Type.String(),
    sections: Type.Array(SearchSection),
    ancestors: Type.Array(Type.Object({ title: Type.String() }), {
      description: 'From the top of the navigation down to the page’s parent.',
    }),
    urls: Type.Object({ app: Url }),
  },
  { $id: 'SearchResult' },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchedSpace = Type.Object(
  {
    id: Id,
    title: Type.String(),
    pages: Type.Array(SearchResult, {
      description: 'The best pages of the space; search the space itself for more.',
    }),
  },
  { $id: 'SearchedSpace' },
);
export type SearchedSpace = Static<typeof SearchedSpace>;
