import Type, { type Static } from 'typebox';
import { Id, Url } from '../scalars.ts';

/** A part of a page that was found. */
export const SearchSection = Type.Object({
  id: Type.String({
    description:
      'The anchor of its heading, as the page’s own format gives it; the page’s id for its beginning.',
  }),
  title: Type.String(),
  path: Type.String({ description: 'The page’s path, with the anchor as fragment.' }),
  body: Type.String({ description: 'The text around what was found, without markup.' }),
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
    pages: Type.Array(SearchResult, { description: 'The best of the space; search it for more.' }),
  },
  { $id: 'SearchedSpace' },
);
export type SearchedSpace = Static<typeof SearchedSpace>;
