import Type from 'typebox';
import { Bytes, defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { File } from '../resources/file.ts';
import { Page } from '../resources/page.ts';
import { PageView } from '../resources/page-view.ts';
import { Reference } from '../resources/reference.ts';
import { Revision } from '../resources/revision.ts';
import { ContentQuery, FilesQuery, PageQuery } from './content-queries.ts';
import { LinkList, LinkQuery } from './spaces.ts';

const tag = 'Revisions';

export const getRevision = defineOperation({
  id: 'getRevisionById',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId',
  tag,
  summary: 'Read a revision, whole; also one that a standalone import made.',
  query: ContentQuery,
  responses: { 200: Revision },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const listRevisionPages = defineOperation({
  id: 'listPagesInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/pages',
  tag,
  summary: "Read a revision's tree of pages, without their bodies.",
  query: ContentQuery,
  responses: { 200: Type.Object({ pages: Type.Array(Page) }) },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const listRevisionFiles = defineOperation({
  id: 'listFilesInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/files',
  tag,
  summary: 'List the files of a revision.',
  query: FilesQuery,
  responses: { 200: ListOf(File) },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const getRevisionFile = defineOperation({
  id: 'getFileInRevisionById',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/files/:fileId',
  tag,
  summary: 'Read what is known about a file of a revision.',
  query: ContentQuery,
  responses: { 200: File },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const downloadRevisionFile = defineOperation({
  id: 'downloadFileInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/files/:fileId/download',
  tag,
  summary: "Read a file's bytes; this is its `downloadURL`.",
  description:
    'Answers with the content type of the file. What a browser could run is sent as an attachment, and nothing is to be guessed from the bytes.',
  responses: { 200: Bytes },
  errors: ['role-too-low', 'bytes-not-stored', 'range-not-satisfiable'],
  extension: true,
  conditional: true,
});

export const listRevisionFileBacklinks = defineOperation({
  id: 'listFileBacklinksInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/files/:fileId/backlinks',
  tag,
  summary: 'List the places of a revision that link to a file.',
  query: Paging,
  responses: { 200: ListOf(Reference) },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const getRevisionPage = defineOperation({
  id: 'getPageInRevisionById',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/page/:pageId',
  tag,
  summary: 'Read a page of a revision.',
  query: PageQuery,
  responses: { 200: Page },
  errors: ['role-too-low', 'bytes-not-stored'],
  extension: true,
  conditional: true,
});

export const getRevisionPageByPath = defineOperation({
  id: 'getPageInRevisionByPath',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/path/:pagePath',
  tag,
  summary: 'Read the page of a revision at an address, written as for the current content.',
  query: PageQuery,
  responses: { 200: Page },
  errors: ['role-too-low', 'bytes-not-stored'],
  extension: true,
  conditional: true,
});

export const getRevisionPageView = defineOperation({
  id: 'getPageViewInRevisionById',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/page/:pageId/view',
  tag,
  summary: 'Read a page of a revision with all that showing it takes.',
  responses: { 200: PageView },
  errors: ['role-too-low', 'bytes-not-stored'],
  extension: true,
  conditional: true,
});

export const listRevisionPageLinks = defineOperation({
  id: 'listPageLinksInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/page/:pageId/links',
  tag,
  summary: 'List the links of a page of a revision.',
  query: LinkQuery,
  responses: { 200: LinkList },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const listRevisionPageBacklinks = defineOperation({
  id: 'listPageBacklinksInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/page/:pageId/backlinks',
  tag,
  summary: 'List the places of a revision that link to a page.',
  query: Paging,
  responses: { 200: ListOf(Reference) },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});

export const listRevisionLinks = defineOperation({
  id: 'listLinksInRevision',
  method: 'GET',
  path: '/spaces/:spaceId/revisions/:revisionId/links',
  tag,
  summary: 'List the links of all pages of a revision.',
  query: LinkQuery,
  responses: { 200: LinkList },
  errors: ['role-too-low'],
  extension: true,
  conditional: true,
});
