import Type, { type Static, type TSchema } from 'typebox';
import { Id, Moment, Url } from '../scalars.ts';
import { Document } from './document.ts';
import { GitSource } from './file.ts';
import { ReferenceResource } from './reference.ts';

const Layout = Type.Object({
  width: Type.Optional(Type.Enum(['default', 'wide'], { type: 'string' })),
  cover: Type.Optional(Type.Boolean()),
  coverSize: Type.Optional(Type.Enum(['hero', 'full'], { type: 'string' })),
  title: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.Boolean()),
  tableOfContents: Type.Optional(Type.Boolean()),
  outline: Type.Optional(Type.Boolean()),
  pagination: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Type.Boolean()),
});

const Cover = Type.Object({
  ref: ReferenceResource,
  refDark: Type.Optional(ReferenceResource),
  yPos: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number()),
});

const Computed = Type.Object({
  type: Type.Enum(['builtin:openapi', 'builtin:translation'], { type: 'string' }),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.Object({ ref: ReferenceResource }))),
  props: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const pageTypes = ['document', 'group', 'link', 'computed'] as const;

const PageFields = Type.Object({
  id: Id,
  title: Type.String(),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  createdAt: Moment,
  updatedAt: Moment,
  markdown: Type.Optional(Type.String({ description: 'The body, as `format=markdown` asks for it.' })),
  document: Type.Optional(Document),
  dialect: Type.Optional(
    Type.String({
      description:
        'How `markdown` is written: the format whose blocks and anchors it has, with what of its configuration matters. Empty for GitHub’s Markdown. An extension.',
    }),
  ),
  origins: Type.Optional(
    Type.Array(
      Type.Object({
        line: Type.Integer(),
        column: Type.Integer(),
        source: Type.Optional(
          Type.Object({ path: Type.String(), line: Type.Integer(), column: Type.Integer() }),
        ),
      }),
      {
        description:
          'Where the pieces of `markdown` stand in the repository, when other files stand in it: each goes on to the next one; text that the platform wrote has no `source`. Lines and columns start at 1. An extension.',
      },
    ),
  ),
  type: Type.Enum([...pageTypes], { type: 'string' }),
  urls: Type.Object({ app: Url }),
  slug: Type.String(),
  path: Type.String({ description: 'Where the page stands in the space; empty for its home page.' }),
  description: Type.Optional(Type.String()),
  git: Type.Optional(GitSource),
  layout: Type.Optional(Layout),
  cover: Type.Optional(Cover),
  variables: Type.Optional(Type.Record(Type.String(), Type.String())),
  hidden: Type.Boolean(),
  noIndex: Type.Boolean(),
  noRobotsIndex: Type.Boolean(),
  computed: Type.Optional(Computed),
  computedSeed: Type.Optional(Type.String()),
  href: Type.Optional(Type.String({ description: 'For `type: link`, where it leads.' })),
});

/** A page holds the pages below it, to any depth. */
export interface PageResource extends Static<typeof PageFields> {
  pages: PageResource[];
}

const fields = PageFields as unknown as { properties: Record<string, TSchema>; required: string[] };

export const PageResource = Type.Unsafe<PageResource>({
  $id: 'Page',
  type: 'object',
  properties: { ...fields.properties, pages: { type: 'array', items: { $ref: 'Page#' } } },
  required: [...fields.required, 'pages'],
});
