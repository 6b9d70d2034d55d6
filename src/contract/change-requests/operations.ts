import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { ChangeRequest, ChangeRequestStatus, Description, Subject } from './change-request.ts';
import { ChangedFile, FileComparison } from './changed-file.ts';
import { Conflict, ConflictedFile, Resolution } from './conflict.ts';
import { ContentChange } from './content-change.ts';
import { ChangeRequestContributor } from './contributor.ts';
import { SemanticChanges } from './semantic-change.ts';

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

/** Which change requests a list has. */
const filters = {
  status: Type.Optional(ChangeRequestStatus),
  creator: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only those that this user created.' })),
  contributor: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'Only those whose content this user changed.' }),
  ),
  requestedReviewer: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description:
        'Only those whose review was requested of this user, or of a team of theirs, and is not done.',
    }),
  ),
  cluster: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'Only those that are to answer this cluster of issues.' }),
  ),
  revision: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'Only those that propose this revision now. An extension.' }),
  ),
};

export const changeRequestOperations = {
  listChangeRequests: defineOperation({
    id: 'listChangeRequestsForSpace',
    method: 'GET',
    path: '/spaces/:spaceId/change-requests',
    tag,
    summary: 'List the change requests of a space, newest first.',
    query: Type.Object(
      {
        ...pagingFields,
        ...filters,
        orderBy: Type.Optional(
          Type.Enum(['number', 'updatedAt'], {
            type: 'string',
            default: 'number',
            description: 'Newest first, or last changed first.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(ChangeRequest) },
    errors: ['role-too-low'],
    extension: true,
  }),

  listOrganizationChangeRequests: defineOperation({
    id: 'listChangeRequestsForOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/change-requests',
    tag,
    summary: 'List the change requests of all spaces that the caller has access to, last changed first.',
    query: Type.Object({ ...pagingFields, ...filters }, { additionalProperties: false }),
    responses: { 200: ListOf(ChangeRequest) },
    errors: [],
    extension: true,
  }),

  createChangeRequest: defineOperation({
    id: 'createChangeRequest',
    method: 'POST',
    path: '/spaces/:spaceId/change-requests',
    tag,
    summary: 'Create a change request, as a draft, from the content that readers see now.',
    body: Type.Object(
      {
        subject: Type.Optional(Subject),
        description: Type.Optional(Description),
        cluster: Type.Optional(
          Type.Unsafe<string>({
            ...Id,
            description:
              'The cluster of issues of the organization that it is to answer; for those who may see clusters.',
          }),
        ),
        another: Type.Optional(
          Type.Boolean({
            default: false,
            description:
              'Whether it is wanted although a change request that the caller may see, as a draft or open, is to answer the cluster already; otherwise that is 409.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 201: ChangeRequest },
    errors: ['role-too-low', 'limit-reached', 'being-written'],
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
    id: 'updateChangeRequestById',
    method: 'PATCH',
    path: base,
    tag,
    summary: 'Change the subject, the description or the status of a change request.',
    description: 'The status of a merged change request cannot be changed: 409.',
    body: Type.Object(
      {
        subject: Type.Optional(Subject),
        description: Type.Optional(Description),
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
    id: 'updateChangeRequest',
    method: 'POST',
    path: `${base}/update`,
    tag,
    summary: 'Update a change request with the content that readers see now.',
    description:
      'If both changed the same file, the response is 409 and `details` names the files, unless `resolutions` decides each of them; all other files stay byte-identical. It is also 409 if there is nothing to update. Reviews stay valid if no file needed a decision.',
    body: Type.Object(
      { resolutions: Type.Optional(Type.Array(Resolution, { maxItems: 1000 })) },
      { additionalProperties: false },
    ),
    optionalBody: true,
    bodyLimit: 8 * 1024 * 1024,
    responses: { 200: withResult('update', 'What the change request proposes now.') },
    errors: ['role-too-low', 'nothing-to-change', 'conflict', 'already-merged', 'archived', 'content-moved'],
    extension: true,
  }),

  listContributors: defineOperation({
    id: 'getContributorsByChangeRequestId',
    method: 'GET',
    path: `${base}/contributors`,
    tag,
    summary: 'List who changed the content of a change request, and how often.',
    query: Paging,
    responses: { 200: ListOf(ChangeRequestContributor) },
    errors: ['role-too-low'],
    extension: true,
  }),

  getChanges: defineOperation({
    id: 'getChangeRequestChanges',
    method: 'GET',
    path: `${base}/changes`,
    tag,
    summary: 'Read what a change request does to pages, files, variables and reusable content.',
    query: Type.Object(
      { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 10 })) },
      { additionalProperties: false },
    ),
    responses: { 200: SemanticChanges },
    errors: ['role-too-low'],
    extension: true,
  }),

  listChangedFiles: defineOperation({
    id: 'listChangedFilesOfChangeRequest',
    method: 'GET',
    path: `${base}/changed-files`,
    tag,
    summary: 'List the files that a change request adds, changes, moves or removes, by path.',
    query: Paging,
    responses: { 200: ListOf(ChangedFile) },
    errors: ['role-too-low'],
    extension: true,
  }),

  compareFile: defineOperation({
    id: 'compareFileOfChangeRequest',
    method: 'GET',
    path: `${base}/changed-files/comparison`,
    tag,
    summary: 'Compare a file of a change request with its base, line by line.',
    description:
      'Hunks as of a unified diff, with the changed words of replaced lines. `path` is the one that the list of changed files has.',
    query: Type.Object(
      { path: Type.String({ minLength: 1, maxLength: 1024 }) },
      { additionalProperties: false },
    ),
    responses: { 200: FileComparison },
    errors: ['role-too-low'],
    extension: true,
  }),

  listConflicts: defineOperation({
    id: 'listConflictsOfChangeRequest',
    method: 'GET',
    path: `${base}/conflicts`,
    tag,
    summary: 'List the files that both the space and the change request changed, by path.',
    query: Paging,
    responses: { 200: ListOf(Conflict) },
    errors: ['role-too-low'],
    extension: true,
  }),

  getConflict: defineOperation({
    id: 'getConflictOfChangeRequest',
    method: 'GET',
    path: `${base}/conflicts/file`,
    tag,
    summary: 'Read both sides of a conflict, merged as far as they touch different lines.',
    query: Type.Object(
      { path: Type.String({ minLength: 1, maxLength: 1024 }) },
      { additionalProperties: false },
    ),
    responses: { 200: ConflictedFile },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
