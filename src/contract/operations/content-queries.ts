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
          '`markdown` answers the body as `markdown`. This version has no `document` form of a body yet: without `format` the answer has no body, and asking for `document` is 400.',
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
