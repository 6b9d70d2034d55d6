import Type, { type Static } from 'typebox';
import { Moment } from '../scalars.ts';

/** Where a space's content comes from. Nothing is there before the first import. */
export const GitInfo = Type.Object(
  {
    repoName: Type.Optional(Type.String()),
    installationProvider: Type.Optional(Type.String({ description: 'As `gitInfo.provider` of the import.' })),
    integration: Type.Optional(Type.String()),
    url: Type.Optional(Type.String({ description: 'The repository for people, without credentials.' })),
    updatedAt: Type.Optional(Moment),
    hasEdits: Type.Optional(
      Type.Boolean({
        description: 'Whether the space was edited since it and its branch were last the same.',
      }),
    ),
  },
  { $id: 'GitInfo' },
);
export type GitInfo = Static<typeof GitInfo>;
