import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { Id } from '../scalars.ts';
import { GitInfo } from './git-info.ts';
import { GitOperation } from './git-operation.ts';
import { GitExportBody, GitImportBody } from './git-request.ts';

const tag = 'Git';

/** The response has no body, so a header names the operation that was started. */
const StartedOperation = Type.Object({
  'Docloom-Operation': Type.Unsafe<string>({
    ...Id,
    description: 'Extension: the id of the operation that was started.',
  }),
});

export const gitOperations = {
  importGit: defineOperation({
    id: 'importGitRepository',
    method: 'POST',
    path: '/spaces/:spaceId/git/import',
    tag,
    summary: "Start an import of a branch's tip into a space.",
    description:
      'Imports of a space run one at a time, in the order of `timestamp` (the time of the event that caused the import; by default the time of the call; a time in the future counts as now). An import is skipped, unless `force`, if a newer event of the same directory of the branch was already handled, or a newer import succeeded. With `standalone` it creates a revision that can be read by its id, and leaves the content of the space as it is. Watch it at `GET /spaces/{spaceId}/git/operations`, by the id in the header `Docloom-Operation`.',
    body: GitImportBody,
    responses: { 204: Type.Void() },
    headers: StartedOperation,
    errors: ['role-too-low', 'space-locked'],
  }),

  exportGit: defineOperation({
    id: 'exportToGitRepository',
    method: 'POST',
    path: '/spaces/:spaceId/git/export',
    tag,
    summary: 'Start an export of a space to a branch.',
    description:
      "Writes what was edited in the space since the last sync as one commit on the branch's tip: only files that differ, never with a forced push. What others changed on the branch stays. A file that both sides changed fails the export with the code `conflict`, unless `force`, which uses the space's version. Exports and imports of a space run one at a time; watch an export at `GET /spaces/{spaceId}/git/operations`, by the id in the header `Docloom-Operation`.",
    body: GitExportBody,
    responses: { 204: Type.Void() },
    headers: StartedOperation,
    errors: ['role-too-low'],
  }),

  getGitInfo: defineOperation({
    id: 'getSpaceGitInfo',
    method: 'GET',
    path: '/spaces/:spaceId/git/info',
    tag,
    summary: 'Read where the content of a space comes from; 404 for a space without a repository.',
    responses: { 200: GitInfo },
    errors: ['role-too-low'],
  }),

  removeLegacyInstallation: defineOperation({
    id: 'deleteLegacyGitInstallation',
    method: 'DELETE',
    path: '/spaces/:spaceId/git/legacy-installation',
    tag,
    summary: 'Remove the binding to a repository that an older installation left.',
    description:
      'Removes the binding if it is disconnected: the App lost the repository, or its configuration no longer names the space. The content stays, and the space is no longer deleted for being disconnected. A connected space stays as it is.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  listGitOperations: defineOperation({
    id: 'listGitOperations',
    method: 'GET',
    path: '/spaces/:spaceId/git/operations',
    tag,
    summary: "List a space's imports and exports, newest first.",
    query: Paging,
    responses: { 200: ListOf(GitOperation) },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
