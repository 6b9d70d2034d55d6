import Type from 'typebox';
import { ChangeRequest } from '../change-requests/change-request.ts';
import { defineOperation } from '../operation.ts';
import { Id } from '../scalars.ts';
import { CheckedText } from './checked-text.ts';
import { FileAction, FilePlan, SuggestedTarget } from './file-plan.ts';
import { Source } from './source.ts';

const tag = 'Editing';
const base = '/spaces/:spaceId/editing';

const Path = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'In the repository, as `git.path` of a page.',
});

/** The content that is edited: what a change request proposes, or what readers see now. */
const InContent = {
  changeRequest: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      maxLength: 64,
      description: 'Its id or number; without it, the content that readers see now.',
    }),
  ),
};

export const editingOperations = {
  getSource: defineOperation({
    id: 'getSourceOfFile',
    method: 'GET',
    path: `${base}/source`,
    tag,
    summary: 'Read the text of a file exactly as it is in the repository.',
    query: Type.Object(
      {
        ...InContent,
        revision: Type.Optional(
          Type.Unsafe<string>({ ...Id, maxLength: 64, description: 'Instead of a change request.' }),
        ),
        path: Path,
      },
      { additionalProperties: false },
    ),
    responses: { 200: Source },
    errors: ['role-too-low'],
    extension: true,
  }),

  checkText: defineOperation({
    id: 'checkTextOfFile',
    method: 'POST',
    path: `${base}/text`,
    tag,
    summary: 'Check a text that is not saved: its references with verdicts, and what is needed to show it.',
    description:
      'The text stands in the place of the file at `path`, which need not exist, among the other files of the content. Nothing is stored.',
    body: Type.Object(
      {
        ...InContent,
        path: Path,
        text: Type.String({ maxLength: 1024 * 1024 }),
        view: Type.Optional(Type.Boolean({ default: true, description: 'Whether `view` is wanted.' })),
      },
      { additionalProperties: false },
    ),
    responses: { 200: CheckedText },
    errors: ['role-too-low'],
    extension: true,
  }),

  suggestTargets: defineOperation({
    id: 'suggestTargetsOfFile',
    method: 'GET',
    path: `${base}/targets`,
    tag,
    summary:
      'Suggest destinations for a reference in a file: pages by title and path, files, and headings after `#`.',
    query: Type.Object(
      {
        ...InContent,
        path: Path,
        query: Type.Optional(Type.String({ maxLength: 512, description: 'What is written so far.' })),
        kind: Type.Optional(
          Type.Enum(['any', 'page', 'file'], { type: 'string', description: '`file`: pictures come first.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Type.Object({ items: Type.Array(SuggestedTarget, { description: 'At most 30.' }) }) },
    errors: ['role-too-low'],
    extension: true,
  }),

  planFiles: defineOperation({
    id: 'planChangeOfFiles',
    method: 'POST',
    path: `${base}/plans`,
    tag,
    summary: 'Say what moving, deleting or creating a file changes in other files. Changes nothing.',
    body: Type.Object({ ...InContent, action: FileAction }, { additionalProperties: false }),
    responses: { 200: FilePlan },
    errors: ['role-too-low', 'path-taken'],
    extension: true,
  }),

  changeFiles: defineOperation({
    id: 'changeFilesOfChangeRequest',
    method: 'POST',
    path: '/spaces/:spaceId/change-requests/:changeRequestId/files',
    tag,
    summary:
      'Move, delete or create a file with everything that follows from it: links, navigation, redirects.',
    body: Type.Object({ action: FileAction }, { additionalProperties: false }),
    responses: { 200: ChangeRequest },
    errors: ['role-too-low', 'already-merged', 'archived', 'path-taken', 'file-changed', 'content-moved'],
    extension: true,
  }),
} as const;
