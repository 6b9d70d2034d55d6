import Type from 'typebox';
import { pagingFields } from '../paging.ts';

const contentFields = {
  metadata: Type.Optional(
    Type.Boolean({ default: true, description: '`false` leaves out what git says: `git` objects.' }),
  ),
  computed: Type.Optional(Type.Boolean({ default: true, description: '`false` skips computed content.' })),
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
          '`document` answers the body as nodes in `document`, `markdown` as the file’s text in `markdown`. A page too large to be read as nodes is 400 when `document` is asked for, and has no body without `format`.',
      }),
    ),
    evaluated: Type.Optional(
      Type.Enum(['true', 'false', 'deterministic-only'], {
        type: 'string',
        default: 'false',
        description: 'Whether expressions are evaluated. Plain Markdown has none.',
      }),
    ),
  },
  { additionalProperties: false },
);
