import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { GitInfo } from '../resources/git-info.ts';
import { GitOperation } from '../resources/git-operation.ts';
import { Id, MomentInput } from '../scalars.ts';

const tag = 'Git';

/** The answer has no body, so a header says which operation of the list it started. */
const StartedOperation = Type.Object({
  'Docloom-Operation': Type.Unsafe<string>({
    ...Id,
    description: 'Extension: the id of the operation that was started.',
  }),
});

const remoteFields = {
  url: Type.String({
    format: 'uri',
    maxLength: 2048,
    description:
      'The repository over https (http where the operator allows the host). May hold basic-auth credentials: they rest sealed and only until the operation ends.',
  }),
  ref: Type.String({
    pattern: '^refs/(heads/[^\\s~^:?*\\[\\\\\\x00-\\x1f\\x7f]{1,255}|pull/[0-9]{1,10}/(head|merge))$',
    description:
      '`refs/heads/<branch>`; with `standalone` also `refs/pull/<number>/head` or `refs/pull/<number>/merge`.',
  }),
  repoCacheID: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Imports with the same id share what was fetched; the address when left out.',
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
    Type.String({ maxLength: 1024, description: 'The folder that holds the space; the root when left out.' }),
  ),
  timestamp: Type.Optional(MomentInput),
  force: Type.Optional(
    Type.Boolean({ description: 'Runs also when a newer event was handled, and derives everything again.' }),
  ),
  gitInfo: Type.Optional(
    Type.Object(
      { provider: Type.String({ maxLength: 64 }), url: Type.String({ maxLength: 2048 }) },
      { additionalProperties: false },
    ),
  ),
};

/** What an import asks for; also how it is kept, without credentials. */
export const GitImportBody = Type.Object(
  { ...remoteFields, standalone: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type GitImportBody = Static<typeof GitImportBody>;

export const importGit = defineOperation({
  id: 'importGitRepository',
  method: 'POST',
  path: '/spaces/:spaceId/git/import',
  tag,
  summary: "Start an import of a branch's tip into a space.",
  description:
    'Imports of a space run one at a time, in the order of `timestamp` (the event that asked for it; the time of the call when left out; a time in the future counts as now). What is older than an event that was handled already is skipped, unless `force`. With `standalone` a revision is made that can be read by its id and leaves the content of the space alone. Watch it at `GET /spaces/{spaceId}/git/operations`, where it has the id that the header `Docloom-Operation` names.',
  body: GitImportBody,
  responses: { 204: Type.Void() },
  headers: StartedOperation,
  errors: ['role-too-low', 'space-locked'],
});

const Person = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    email: Type.String({ minLength: 1, maxLength: 320 }),
  },
  { additionalProperties: false },
);

/** What an export asks for; also how it is kept, without credentials. `author` and `committer` are extensions. */
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

export const exportGit = defineOperation({
  id: 'exportToGitRepository',
  method: 'POST',
  path: '/spaces/:spaceId/git/export',
  tag,
  summary: 'Start an export of a space to a branch.',
  description:
    "Writes what was edited in the space since the last sync as one commit on the branch's tip: only files that differ, never by force. What others changed on the branch stays; a file that both sides changed ends the export with the code `conflict`, unless `force`, which takes the space's. Exports run in line with the space's imports; watch them at `GET /spaces/{spaceId}/git/operations`, by the id that the header `Docloom-Operation` names.",
  body: GitExportBody,
  responses: { 204: Type.Void() },
  headers: StartedOperation,
  errors: ['role-too-low'],
});

export const getGitInfo = defineOperation({
  id: 'getSpaceGitInfo',
  method: 'GET',
  path: '/spaces/:spaceId/git/info',
  tag,
  summary: 'Read where the content of a space comes from.',
  responses: { 200: GitInfo },
  errors: ['role-too-low'],
});

export const listGitOperations = defineOperation({
  id: 'listGitOperations',
  method: 'GET',
  path: '/spaces/:spaceId/git/operations',
  tag,
  summary: "List a space's imports and exports, newest first.",
  query: Paging,
  responses: { 200: ListOf(GitOperation) },
  errors: ['role-too-low'],
  extension: true,
});
