import Type, { type Static } from 'typebox';
import { Moment } from '../scalars.ts';

/** Where a space's content comes from. All fields are absent before the first import. */
export const GitInfo = Type.Object(
  {
    repoName: Type.Optional(Type.String()),
    installationProvider: Type.Optional(
      Type.String({ description: 'The `gitInfo.provider` of the import.' }),
    ),
    integration: Type.Optional(Type.String()),
    url: Type.Optional(Type.String({ description: 'The repository for people, without credentials.' })),
    updatedAt: Type.Optional(Moment),
    hasEdits: Type.Optional(
      Type.Boolean({
        description: 'Whether the space was edited since it was last in sync with its branch.',
      }),
    ),
  },
  { $id: 'GitInfo' },
);
export type GitInfo = Static<typeof GitInfo>;
