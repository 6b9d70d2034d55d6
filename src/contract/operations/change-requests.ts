import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { ChangeRequest, ChangeRequestStatus } from '../resources/change-request.ts';
import { File } from '../resources/file.ts';
import { Page } from '../resources/page.ts';
import { Reference } from '../resources/reference.ts';
import { Revision } from '../resources/revision.ts';
import { Id } from '../scalars.ts';
import { ContentQuery, FilesQuery, PageQuery } from './content-queries.ts';
import { LinkList, LinkQuery } from './spaces.ts';

const tag = 'Change requests';
const contentTag = 'Change request content';
const base = '/spaces/:spaceId/change-requests/:changeRequestId';

const Subject = Type.String({ maxLength: 256 });

export const listChangeRequests = defineOperation({
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
});

export const createChangeRequest = defineOperation({
  id: 'createChangeRequest',
  method: 'POST',
  path: '/spaces/:spaceId/change-requests',
  tag,
  summary: 'Begin a change request from what readers see now; it is a draft.',
  body: Type.Object({ subject: Type.Optional(Subject) }, { additionalProperties: false }),
  responses: { 201: ChangeRequest },
  errors: ['role-too-low'],
  extension: true,
});

export const getChangeRequest = defineOperation({
  id: 'getChangeRequestById',
  method: 'GET',
  path: base,
  tag,
  summary: 'Read a change request, by its id or its number.',
  responses: { 200: ChangeRequest },
  errors: ['role-too-low'],
  extension: true,
});

export const updateChangeRequest = defineOperation({
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
});

/** A path in the repository, as `git.path` of a page tells it. */
const Path = Type.String({ minLength: 1, maxLength: 1024 });
const Text = Type.String({ maxLength: 1024 * 1024 });

const Change = Type.Union([
  Type.Object(
    { type: Type.Literal('write'), path: Path, text: Text },
    { additionalProperties: false, description: 'Writes a text file, which is made when absent.' },
  ),
  Type.Object(
    {
      type: Type.Literal('upload'),
      path: Path,
      base64: Type.String({ maxLength: 1024 * 1024, description: 'The bytes in base64 (RFC 4648).' }),
    },
    { additionalProperties: false, description: 'Writes a file of any kind.' },
  ),
  Type.Object(
    { type: Type.Literal('page'), page: Id, markdown: Text },
    { additionalProperties: false, description: "Replaces a page's file, front matter included." },
  ),
  Type.Object(
    { type: Type.Literal('move'), from: Path, to: Path },
    { additionalProperties: false, description: 'Moves a file or folder; links to it are left as they are.' },
  ),
  Type.Object(
    { type: Type.Literal('delete'), path: Path },
    { additionalProperties: false, description: 'Deletes a file or folder.' },
  ),
]);
export type ContentChange = Static<typeof Change>;

export const changeContent = defineOperation({
  id: 'changeChangeRequestContent',
  method: 'POST',
  path: `${base}/content`,
  tag,
  summary: 'Change files of a change request: all of the changes, or none.',
  description:
    'Changes are made in their order. Paths are those of the repository and must be inside the folder of the space. Every other file keeps its bytes.',
  body: Type.Object(
    { changes: Type.Array(Change, { minItems: 1, maxItems: 1000 }) },
    { additionalProperties: false },
  ),
  responses: { 200: ChangeRequest },
  errors: ['role-too-low', 'already-merged', 'archived', 'path-taken', 'content-moved'],
  extension: true,
});

export const mergeChangeRequest = defineOperation({
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
});

export const bringUpChangeRequest = defineOperation({
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
});

export const getChangeRequestContent = defineOperation({
  id: 'getRevisionOfChangeRequestById',
  method: 'GET',
  path: `${base}/content`,
  tag: contentTag,
  summary: 'Read what a change request proposes, whole.',
  query: ContentQuery,
  responses: { 200: Revision },
  errors: ['role-too-low'],
  conditional: true,
});

export const listChangeRequestPages = defineOperation({
  id: 'listPagesInChangeRequest',
  method: 'GET',
  path: `${base}/content/pages`,
  tag: contentTag,
  summary: "Read a change request's tree of pages, without their bodies.",
  query: ContentQuery,
  responses: { 200: Type.Object({ pages: Type.Array(Page) }) },
  errors: ['role-too-low'],
  conditional: true,
});

export const listChangeRequestFiles = defineOperation({
  id: 'listFilesInChangeRequestById',
  method: 'GET',
  path: `${base}/content/files`,
  tag: contentTag,
  summary: 'List the files of a change request.',
  query: FilesQuery,
  responses: { 200: ListOf(File) },
  errors: ['role-too-low'],
  conditional: true,
});

export const getChangeRequestFile = defineOperation({
  id: 'getFileInChangeRequestById',
  method: 'GET',
  path: `${base}/content/files/:fileId`,
  tag: contentTag,
  summary: 'Read what is known about a file of a change request.',
  query: ContentQuery,
  responses: { 200: File },
  errors: ['role-too-low'],
  conditional: true,
});

export const listChangeRequestFileBacklinks = defineOperation({
  id: 'listChangeRequestFileBacklinks',
  method: 'GET',
  path: `${base}/content/files/:fileId/backlinks`,
  tag: contentTag,
  summary: 'List the places of a change request that link to a file.',
  query: Paging,
  responses: { 200: ListOf(Reference) },
  errors: ['role-too-low'],
  conditional: true,
});

export const getChangeRequestPage = defineOperation({
  id: 'getPageInChangeRequestById',
  method: 'GET',
  path: `${base}/content/page/:pageId`,
  tag: contentTag,
  summary: 'Read a page of a change request.',
  query: PageQuery,
  responses: { 200: Page },
  errors: ['role-too-low', 'bytes-not-stored'],
  conditional: true,
});

export const getChangeRequestPageByPath = defineOperation({
  id: 'getPageInChangeRequestByPath',
  method: 'GET',
  path: `${base}/content/path/:pagePath`,
  tag: contentTag,
  summary: 'Read the page of a change request at an address, written as for the current content.',
  query: PageQuery,
  responses: { 200: Page },
  errors: ['role-too-low', 'bytes-not-stored'],
  extension: true,
  conditional: true,
});

export const listChangeRequestPageLinks = defineOperation({
  id: 'listChangeRequestPageLinks',
  method: 'GET',
  path: `${base}/content/page/:pageId/links`,
  tag: contentTag,
  summary: 'List the links of a page of a change request.',
  description: '`stats.broken.changeRequest` counts those that the change request broke.',
  query: LinkQuery,
  responses: { 200: LinkList },
  errors: ['role-too-low'],
  conditional: true,
});
