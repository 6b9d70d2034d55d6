import Type, { type Static } from 'typebox';
import { GitInfo } from '../git/git-info.ts';
import { OpenAPIOperation } from '../openapi/openapi-spec.ts';
import { Id } from '../scalars.ts';
import { LinkStatus, PageLink } from './link.ts';
import { PageResource, pageTypes } from './page.ts';
import { ReferenceResource } from './reference.ts';
import { RevisionCommit } from './revision.ts';

const EntryFields = Type.Object({
  id: Id,
  title: Type.String(),
  emoji: Type.Optional(Type.String()),
  type: Type.Enum([...pageTypes], { type: 'string' }),
  href: Type.Optional(Type.String({ description: 'For `type: link`, its destination.' })),
  hidden: Type.Boolean(),
});

/** A page in the navigation, with the pages below it. */
export interface NavigationEntry extends Static<typeof EntryFields> {
  pages: NavigationEntry[];
}

export const NavigationEntry = Type.Unsafe<NavigationEntry>(
  Type.Object(
    { ...EntryFields.properties, pages: Type.Array(Type.Ref('NavigationEntry#')) },
    { $id: 'NavigationEntry' },
  ),
);

/** An operation of an API that a page shows. */
export const ShownOperation = Type.Object({
  spec: Type.String({ description: 'As written on the page: a slug or a URL.' }),
  operation: OpenAPIOperation,
});
export type ShownOperation = Static<typeof ShownOperation>;

/** The specifications that a page shows operations of and that the caller may not read; absent for none. */
export const PrivateSpecs = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'The specifications, as written on the page, whose operations are left out because the caller may not read them.',
  }),
);

/** A page with everything needed to show it to people. */
export const PageView = Type.Object(
  {
    space: Type.Object({ id: Id, title: Type.String(), gitSync: Type.Optional(GitInfo) }),
    revision: Type.Object({ id: Id, git: Type.Optional(RevisionCommit) }),
    page: PageResource,
    navigation: Type.Array(NavigationEntry, { description: 'All pages of the revision.' }),
    targets: Type.Array(
      Type.Object({
        target: Type.String({ description: 'As written in `markdown`, percent-decoded.' }),
        status: LinkStatus,
        reference: ReferenceResource,
      }),
      { description: 'The targets of the links and images in `markdown`, each once; at most 20,000.' },
    ),
    brokenLinks: Type.Object(
      { count: Type.Integer(), items: Type.Array(PageLink) },
      {
        description:
          'The first 20 broken links of the page and of the files included in its text, and how many there are.',
      },
    ),
    backlinks: Type.Object(
      { count: Type.Integer(), items: Type.Array(ReferenceResource) },
      { description: 'The first 100 references to the page, and how many there are.' },
    ),
    operations: Type.Array(ShownOperation, {
      description: 'The API operations that the page shows, from the latest versions; at most 100.',
    }),
    privateSpecs: PrivateSpecs,
  },
  { $id: 'PageView' },
);
export type PageView = Static<typeof PageView>;
