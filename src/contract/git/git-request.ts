import Type, { type Static } from 'typebox';
import { Formed, MomentInput } from '../scalars.ts';

const remoteFields = {
  url: Type.String({
    format: 'uri',
    maxLength: 2048,
    description:
      'The repository over https (http where the operator allows it for the host). May contain basic-auth credentials, which are stored encrypted and only until the operation has finished.',
  }),
  ref: Formed(
    '^refs/(heads/[^\\s~^:?*\\[\\\\\\x00-\\x1f\\x7f]{1,255}|pull/[0-9]{1,10}/(head|merge))$',
    'must be a branch: write refs/heads/main for the branch main',
    {
      description:
        '`refs/heads/<branch>`; with `standalone` also `refs/pull/<number>/head` or `refs/pull/<number>/merge`.',
    },
  ),
  repoCacheID: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Splits the cache of fetched objects: only requests of the same organization with the same URL and the same id share them.',
    }),
  ),
  repoTreeURL: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description: 'Prefix for references to files outside the space.',
    }),
  ),
  repoCommitURL: Type.Optional(
    Type.String({ format: 'uri', maxLength: 2048, description: "Prefix of a commit's address." }),
  ),
  repoProjectDirectory: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The folder that contains the space; the root by default.' }),
  ),
  timestamp: Type.Optional(MomentInput),
  force: Type.Optional(
    Type.Boolean({
      description: 'Runs even if a newer event was already handled, and derives everything again.',
    }),
  ),
  gitInfo: Type.Optional(
    Type.Object(
      { provider: Type.String({ maxLength: 64 }), url: Type.String({ maxLength: 2048 }) },
      { additionalProperties: false },
    ),
  ),
};

/** The request of an import; without credentials, also its stored form. */
export const GitImportBody = Type.Object(
  { ...remoteFields, standalone: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type GitImportBody = Static<typeof GitImportBody>;

const Person = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    email: Type.String({ minLength: 1, maxLength: 320 }),
  },
  { additionalProperties: false },
);

/** The request of an export; without credentials, also its stored form. `author` and `committer` are extensions. */
export const GitExportBody = Type.Object(
  {
    ...remoteFields,
    commitMessage: Type.String({ minLength: 1, maxLength: 65_536 }),
    author: Type.Optional(Person),
    committer: Type.Optional(Person),
  },
  { additionalProperties: false },
);
export type GitExportBody = Static<typeof GitExportBody>;
