import { declareReads } from './reads.ts';

/** What readers see. */
const currentReads = declareReads({
  name: '',
  base: '/spaces/:spaceId/content',
  tag: 'Space content',
  errors: [],
  reads: {
    getContent: {
      id: 'getCurrentRevision',
      summary: 'Read all of the content that readers see.',
    },
    listPages: {
      id: 'listPages',
      summary: 'Read the tree of pages, without their bodies.',
    },
    listFiles: {
      id: 'listFiles',
      summary: 'List the files that are not pages: images, downloads.',
    },
    getFile: {
      id: 'getFileById',
      summary: 'Read the metadata of a file.',
    },
    listFileBacklinks: {
      id: 'listFileBacklinks',
      summary: 'List the references to a file.',
    },
    getPage: {
      id: 'getPageById',
      summary: 'Read a page.',
    },
    getPageByPath: {
      id: 'getPageByPath',
      summary: 'Read the page at a path of the space, including paths that it had before.',
      description:
        'The path is sent as one segment, with its slashes as `%2F`; `%2F` alone is the home page. A redirect that the repository declares leads to its page, and a path that a page had before it moved leads to that page: `path` in the response then differs from the requested one.',
      extension: true,
    },
    getPageView: {
      id: 'getPageViewById',
      summary:
        'Read a page with everything needed to show it: navigation, link targets, backlinks, operations.',
      extension: true,
    },
    listPageLinks: {
      id: 'listPageLinks',
      summary: 'List the links of a page and of the files included in its text.',
    },
    listPageBacklinks: {
      id: 'listPageBacklinks',
      summary: 'List the references to a page.',
    },
    listLinks: {
      id: 'listSpaceLinks',
      path: '/spaces/:spaceId/links',
      tag: 'Spaces',
      summary: 'List the links of all pages of a space, each with the result of the link check.',
    },
  },
});

/** Any revision, including those that standalone imports created. */
const revisionReads = declareReads({
  name: 'Revision',
  base: '/spaces/:spaceId/revisions/:revisionId',
  tag: 'Revisions',
  errors: ['role-too-low'],
  reads: {
    getContent: {
      id: 'getRevisionById',
      summary: 'Read a whole revision, also one that a standalone import created.',
      extension: true,
    },
    listPages: {
      id: 'listPagesInRevision',
      summary: "Read a revision's tree of pages, without their bodies.",
      extension: true,
    },
    listFiles: {
      id: 'listFilesInRevision',
      summary: 'List the files of a revision.',
      extension: true,
    },
    getFile: {
      id: 'getFileInRevisionById',
      summary: 'Read the metadata of a file of a revision.',
      extension: true,
    },
    downloadFile: {
      id: 'downloadFileInRevision',
      summary: 'Download the bytes of a file; its `downloadURL` leads here.',
      description:
        'The response has the content type of the file. What a browser could execute is sent as an attachment, and the type must not be guessed from the bytes.',
      extension: true,
    },
    listFileBacklinks: {
      id: 'listFileBacklinksInRevision',
      summary: 'List the references to a file in a revision.',
      extension: true,
    },
    getPage: {
      id: 'getPageInRevisionById',
      summary: 'Read a page of a revision.',
      extension: true,
    },
    getPageByPath: {
      id: 'getPageInRevisionByPath',
      summary: 'Read the page of a revision at a path, sent as for the current content.',
      extension: true,
    },
    getPageView: {
      id: 'getPageViewInRevisionById',
      summary: 'Read a page of a revision with everything needed to show it.',
      extension: true,
    },
    listPageLinks: {
      id: 'listPageLinksInRevision',
      summary: 'List the links of a page of a revision.',
      extension: true,
    },
    listPageBacklinks: {
      id: 'listPageBacklinksInRevision',
      summary: 'List the references to a page in a revision.',
      extension: true,
    },
    listLinks: {
      id: 'listLinksInRevision',
      summary: 'List the links of all pages of a revision.',
      extension: true,
    },
  },
});

/** What a change request proposes. */
const changeRequestReads = declareReads({
  name: 'ChangeRequest',
  base: '/spaces/:spaceId/change-requests/:changeRequestId/content',
  tag: 'Change request content',
  errors: ['role-too-low'],
  reads: {
    getContent: {
      id: 'getRevisionOfChangeRequestById',
      summary: 'Read all of the content that a change request proposes.',
    },
    listPages: {
      id: 'listPagesInChangeRequest',
      summary: "Read a change request's tree of pages, without their bodies.",
    },
    listFiles: {
      id: 'listFilesInChangeRequestById',
      summary: 'List the files of a change request.',
    },
    getFile: {
      id: 'getFileInChangeRequestById',
      summary: 'Read the metadata of a file of a change request.',
    },
    listFileBacklinks: {
      id: 'listChangeRequestFileBacklinks',
      summary: 'List the references to a file in a change request.',
    },
    getPage: {
      id: 'getPageInChangeRequestById',
      summary: 'Read a page of a change request.',
    },
    getPageByPath: {
      id: 'getPageInChangeRequestByPath',
      summary: 'Read the page of a change request at a path, sent as for the current content.',
      extension: true,
    },
    listPageLinks: {
      id: 'listChangeRequestPageLinks',
      summary: 'List the links of a page of a change request.',
      description: '`stats.broken.changeRequest` counts those that the change request broke.',
    },
    listLinks: {
      id: 'listChangeRequestLinks',
      path: '/spaces/:spaceId/change-requests/:changeRequestId/links',
      tag: 'Change requests',
      summary: 'List the links of all pages of a change request.',
      description: '`stats.broken.changeRequest` counts those that the change request broke.',
      extension: true,
    },
  },
});

export const contentOperations = { ...currentReads, ...revisionReads, ...changeRequestReads } as const;
