import Type from 'typebox';
import { pagingFields } from '../paging.ts';

const contentFields = {
  metadata: Type.Optional(
    Type.Boolean({
      default: true,
      description: '`false` leaves out what git says: `git` objects, and `origins`.',
    }),
  ),
  computed: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        '`false` skips computed content: pages of `type: computed` and those below them, and the files that a page’s builder puts into its text, whose directives then stay as written.',
    }),
  ),
};

export const ContentQuery = Type.Object(contentFields, { additionalProperties: false });

export const FilesQuery = Type.Object({ ...pagingFields, ...contentFields }, { additionalProperties: false });

export const PageQuery = Type.Object(
  {
    ...contentFields,
    format: Type.Optional(
      Type.Enum(['document', 'markdown'], {
        type: 'string',
        default: 'document',
        description:
          '`document` answers the body as nodes in `document`, `markdown` as the file’s text in `markdown`; files that the page takes in stand in both. A page too large to be read as nodes is 400 when `document` is asked for, and has no body without `format`.',
      }),
    ),
    evaluated: Type.Optional(
      Type.Enum(['true', 'false', 'deterministic-only'], {
        type: 'string',
        default: 'false',
        description:
          '`true` puts values in place of the expressions over `space.vars`, `page.vars` and what is known of the visitor, which here is nothing, and leaves out what conditions (`{% if … %}`) hide; `deterministic-only` leaves those as written that depend on the visitor. `false` leaves all as written. Plain Markdown has none.',
      }),
    ),
  },
  { additionalProperties: false },
);
