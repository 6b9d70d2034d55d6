import Type from 'typebox';
import { pagingFields } from '../paging.ts';

const contentFields = {
  metadata: Type.Optional(
    Type.Boolean({
      default: true,
      description: '`false` leaves out what comes from git: `git` objects, and `origins`.',
    }),
  ),
  computed: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        '`false` skips computed content: pages of `type: computed` and the pages below them, and files that a page’s builder would include in its text, whose directives then stay as written.',
    }),
  ),
};

export const ContentQuery = Type.Object(contentFields, { additionalProperties: false });

export const FilesQuery = Type.Object({ ...pagingFields, ...contentFields }, { additionalProperties: false });

export const PageViewQuery = Type.Object(
  {
    navigation: Type.Optional(
      Type.Boolean({
        default: true,
        description: '`false` leaves `navigation` empty, which in a large space is most of the answer.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const PageQuery = Type.Object(
  {
    ...contentFields,
    format: Type.Optional(
      Type.Enum(['document', 'markdown'], {
        type: 'string',
        default: 'document',
        description:
          '`document` returns the body as nodes in `document`, `markdown` as the file’s text in `markdown`; both contain the files that the page includes. A page too large to be returned as nodes is 400 with `format=document`, and has no body without `format`.',
      }),
    ),
    evaluated: Type.Optional(
      Type.Enum(['true', 'false', 'deterministic-only'], {
        type: 'string',
        default: 'false',
        description:
          '`true` replaces expressions over `space.vars`, `page.vars` and the visitor (of whom nothing is known here) by their values, and leaves out what conditions (`{% if … %}`) hide; `deterministic-only` leaves those that depend on the visitor as written. `false` leaves all of them as written. Plain Markdown has none.',
      }),
    ),
  },
  { additionalProperties: false },
);
