import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { File } from '../resources/file.ts';
import { Page } from '../resources/page.ts';
import { PageView } from '../resources/page-view.ts';
import { Reference } from '../resources/reference.ts';
import { Revision } from '../resources/revision.ts';
import { ContentQuery, FilesQuery, PageQuery } from './content-queries.ts';
import { LinkList, LinkQuery } from './spaces.ts';

const tag = 'Space content';

export const getContent = defineOperation({
  id: 'getCurrentRevision',
  method: 'GET',
  path: '/spaces/:spaceId/content',
  tag,
  summary: 'Read the content that readers see, whole.',
  query: ContentQuery,
  responses: { 200: Revision },
  conditional: true,
});

export const listPages = defineOperation({
  id: 'listPages',
  method: 'GET',
  path: '/spaces/:spaceId/content/pages',
  tag,
  summary: 'Read the tree of pages, without their bodies.',
  query: ContentQuery,
  responses: { 200: Type.Object({ pages: Type.Array(Page) }) },
  conditional: true,
});

export const listFiles = defineOperation({
  id: 'listFiles',
  method: 'GET',
  path: '/spaces/:spaceId/content/files',
  tag,
  summary: 'List the files that are no pages: pictures, downloads.',
  query: FilesQuery,
  responses: { 200: ListOf(File) },
  errors: ['role-too-low'],
  conditional: true,
});

export const getFile = defineOperation({
  id: 'getFileById',
  method: 'GET',
  path: '/spaces/:spaceId/content/files/:fileId',
  tag,
  summary: 'Read what is known about a file.',
  query: ContentQuery,
  responses: { 200: File },
  conditional: true,
});

export const listFileBacklinks = defineOperation({
  id: 'listFileBacklinks',
  method: 'GET',
  path: '/spaces/:spaceId/content/files/:fileId/backlinks',
  tag,
  summary: 'List the places that link to a file.',
  query: Paging,
  responses: { 200: ListOf(Reference) },
  errors: ['role-too-low'],
  conditional: true,
});

export const getPage = defineOperation({
  id: 'getPageById',
  method: 'GET',
  path: '/spaces/:spaceId/content/page/:pageId',
  tag,
  summary: 'Read a page.',
  query: PageQuery,
  responses: { 200: Page },
  errors: ['bytes-not-stored'],
  conditional: true,
});

export const getPageByPath = defineOperation({
  id: 'getPageByPath',
  method: 'GET',
  path: '/spaces/:spaceId/content/path/:pagePath',
  tag,
  summary: 'Read the page at an address of the space, also at one that it had before.',
  description:
    'The address is written as one segment, its slashes as `%2F`, and `%2F` alone is the home page. A redirect that the repository declares leads to its page, and an address that a page had before it moved leads to where it is now: `path` of the answer is then another than was asked for.',
  query: PageQuery,
  responses: { 200: Page },
  errors: ['bytes-not-stored'],
  extension: true,
  conditional: true,
});

export const getPageView = defineOperation({
  id: 'getPageViewById',
  method: 'GET',
  path: '/spaces/:spaceId/content/page/:pageId/view',
  tag,
  summary:
    'Read a page with all that showing it takes: navigation, where its links lead, backlinks, operations.',
  responses: { 200: PageView },
  errors: ['bytes-not-stored'],
  extension: true,
  conditional: true,
});

export const listPageLinks = defineOperation({
  id: 'listPageLinks',
  method: 'GET',
  path: '/spaces/:spaceId/content/page/:pageId/links',
  tag,
  summary: 'List the links of a page and of the files that stand in its text.',
  query: LinkQuery,
  responses: { 200: LinkList },
  errors: ['role-too-low'],
  conditional: true,
});

export const listPageBacklinks = defineOperation({
  id: 'listPageBacklinks',
  method: 'GET',
  path: '/spaces/:spaceId/content/page/:pageId/backlinks',
  tag,
  summary: 'List the places that link to a page.',
  query: Paging,
  responses: { 200: ListOf(Reference) },
  errors: ['role-too-low'],
  conditional: true,
});
