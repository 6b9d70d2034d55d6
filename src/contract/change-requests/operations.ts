import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { ChangeRequest, ChangeRequestStatus } from './change-request.ts';
import { ContentChange } from './content-change.ts';

const tag = 'Change requests';
const base = '/spaces/:spaceId/change-requests/:changeRequestId';

const Subject = Type.String({ maxLength: 256 });

export const changeRequestOperations = {
  listChangeRequests: defineOperation({
    id: 'listChangeRequests',
    method: 'GET',
    path: '/spaces/:spaceId/change-requests',
    tag,
    summary: 'List the change requests of a space, newest first.',
    query: Type.Object(
      { ...pagingFields, status: Type.Optional(ChangeRequestStatus) },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(ChangeRequest) },
    errors: ['role-too-low'],
    extension: true,
  }),

  createChangeRequest: defineOperation({
    id: 'createChangeRequest',
    method: 'POST',
    path: '/spaces/:spaceId/change-requests',
    tag,
    summary: 'Begin a change request from what readers see now; it is a draft.',
    body: Type.Object({ subject: Type.Optional(Subject) }, { additionalProperties: false }),
    responses: { 201: ChangeRequest },
    errors: ['role-too-low'],
    extension: true,
  }),

  getChangeRequest: defineOperation({
    id: 'getChangeRequestById',
    method: 'GET',
    path: base,
    tag,
    summary: 'Read a change request, by its id or its number.',
    responses: { 200: ChangeRequest },
    errors: ['role-too-low'],
    extension: true,
  }),

  updateChangeRequest: defineOperation({
    id: 'updateChangeRequest',
    method: 'PATCH',
    path: base,
    tag,
    summary: 'Change the subject or the status of a change request.',
    description: 'A merged change request keeps its status: 409.',
    body: Type.Object(
      {
        subject: Type.Optional(Subject),
        status: Type.Optional(Type.Enum(['draft', 'open', 'archived'], { type: 'string' })),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ChangeRequest },
    errors: ['role-too-low', 'already-merged'],
    extension: true,
  }),

  changeContent: defineOperation({
    id: 'changeChangeRequestContent',
    method: 'POST',
    path: `${base}/content`,
    tag,
    summary: 'Change files of a change request: all of the changes, or none.',
    description:
      'Changes are made in their order. Paths are those of the repository and must be inside the folder of the space. Every other file keeps its bytes.',
    body: Type.Object(
      { changes: Type.Array(ContentChange, { minItems: 1, maxItems: 1000 }) },
      { additionalProperties: false },
    ),
    responses: { 200: ChangeRequest },
    errors: ['role-too-low', 'already-merged', 'archived', 'path-taken', 'content-moved'],
    extension: true,
  }),

  mergeChangeRequest: defineOperation({
    id: 'mergeChangeRequest',
    method: 'POST',
    path: `${base}/merge`,
    tag,
    summary: 'Make what a change request proposes the content of the space.',
    description:
      'What the space changed since is kept. Where both changed one file the answer is 409, and `details` names the files; nothing is merged then.',
    responses: { 200: ChangeRequest },
    errors: [
      'role-too-low',
      'space-locked',
      'merge-rules-unmet',
      'nothing-to-change',
      'conflict',
      'already-merged',
      'archived',
      'content-moved',
    ],
    extension: true,
  }),

  bringUpChangeRequest: defineOperation({
    id: 'updateChangeRequestFromSpace',
    method: 'POST',
    path: `${base}/update`,
    tag,
    summary: 'Bring a change request up to what readers see now.',
    description:
      'Where both changed one file the answer is 409, and `details` names the files. 409 also when there is nothing to bring.',
    responses: { 200: ChangeRequest },
    errors: ['role-too-low', 'nothing-to-change', 'conflict', 'already-merged', 'archived', 'content-moved'],
    extension: true,
  }),
} as const;
