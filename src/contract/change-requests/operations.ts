import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { ChangeRequest, ChangeRequestStatus } from './change-request.ts';
import { ContentChange } from './content-change.ts';

const tag = 'Change requests';
const base = '/spaces/:spaceId/change-requests/:changeRequestId';

/** A change request after something was done with it, and the revision that resulted. */
function withResult<const Result extends string>(result: Result, revision: string) {
  return Type.Object({
    ...ChangeRequest.properties,
    revision: Type.Unsafe<string>({ ...Id, description: revision }),
    result: Type.Literal(result),
  });
}

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
    summary: 'Create a change request, as a draft, from the content that readers see now.',
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
    description: 'The status of a merged change request cannot be changed: 409.',
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
    summary: 'Change files of a change request; either all of the changes are made or none.',
    description:
      'Changes are made in the given order. Paths are relative to the root of the repository and must be inside the folder of the space. All other files stay byte-identical.',
    body: Type.Object(
      { changes: Type.Array(ContentChange, { minItems: 1, maxItems: 1000 }) },
      { additionalProperties: false },
    ),
    bodyLimit: 12 * 1024 * 1024,
    responses: { 200: ChangeRequest },
    errors: ['role-too-low', 'already-merged', 'archived', 'path-taken', 'file-changed', 'content-moved'],
    extension: true,
  }),

  mergeChangeRequest: defineOperation({
    id: 'mergeChangeRequest',
    method: 'POST',
    path: `${base}/merge`,
    tag,
    summary: 'Merge a change request into the content of the space.',
    description:
      'Changes made to the space in the meantime stay. If both changed the same file, the response is 409, `details` names the files, and nothing is merged.',
    responses: { 200: withResult('merge', 'The content that readers see now.') },
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

  updateChangeRequestFromSpace: defineOperation({
    id: 'updateChangeRequestFromSpace',
    method: 'POST',
    path: `${base}/update`,
    tag,
    summary: 'Update a change request with the content that readers see now.',
    description:
      'If both changed the same file, the response is 409 and `details` names the files. It is also 409 if there is nothing to update.',
    responses: { 200: withResult('update', 'What the change request proposes now.') },
    errors: ['role-too-low', 'nothing-to-change', 'conflict', 'already-merged', 'archived', 'content-moved'],
    extension: true,
  }),
} as const;
