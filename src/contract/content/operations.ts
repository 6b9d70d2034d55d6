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
      summary: 'Read the content that readers see, whole.',
    },
    listPages: {
      id: 'listPages',
      summary: 'Read the tree of pages, without their bodies.',
    },
    listFiles: {
      id: 'listFiles',
      summary: 'List the files that are no pages: pictures, downloads.',
    },
    getFile: {
      id: 'getFileById',
      summary: 'Read what is known about a file.',
    },
    listFileBacklinks: {
      id: 'listFileBacklinks',
      summary: 'List the places that link to a file.',
    },
    getPage: {
      id: 'getPageById',
      summary: 'Read a page.',
    },
    getPageByPath: {
      id: 'getPageByPath',
      summary: 'Read the page at an address of the space, also at one that it had before.',
      description:
        'The address is written as one segment, its slashes as `%2F`, and `%2F` alone is the home page. A redirect that the repository declares leads to its page, and an address that a page had before it moved leads to where it is now: `path` of the answer is then another than was asked for.',
      extension: true,
    },
    getPageView: {
      id: 'getPageViewById',
      summary:
        'Read a page with all that showing it takes: navigation, where its links lead, backlinks, operations.',
      extension: true,
    },
    listPageLinks: {
      id: 'listPageLinks',
      summary: 'List the links of a page and of the files that stand in its text.',
    },
    listPageBacklinks: {
      id: 'listPageBacklinks',
      summary: 'List the places that link to a page.',
    },
    listLinks: {
      id: 'listSpaceLinks',
      path: '/spaces/:spaceId/links',
      tag: 'Spaces',
      summary: 'List the links of all pages of a space, each with what the link check found.',
    },
  },
});

/** Any revision, also one that a standalone import made. */
const revisionReads = declareReads({
  name: 'Revision',
  base: '/spaces/:spaceId/revisions/:revisionId',
  tag: 'Revisions',
  errors: ['role-too-low'],
  reads: {
    getContent: {
      id: 'getRevisionById',
      summary: 'Read a revision, whole; also one that a standalone import made.',
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
      summary: 'Read what is known about a file of a revision.',
      extension: true,
    },
    downloadFile: {
      id: 'downloadFileInRevision',
      summary: "Read a file's bytes; this is its `downloadURL`.",
      description:
        'Answers with the content type of the file. What a browser could run is sent as an attachment, and nothing is to be guessed from the bytes.',
      extension: true,
    },
    listFileBacklinks: {
      id: 'listFileBacklinksInRevision',
      summary: 'List the places of a revision that link to a file.',
      extension: true,
    },
    getPage: {
      id: 'getPageInRevisionById',
      summary: 'Read a page of a revision.',
      extension: true,
    },
    getPageByPath: {
      id: 'getPageInRevisionByPath',
      summary: 'Read the page of a revision at an address, written as for the current content.',
      extension: true,
    },
    getPageView: {
      id: 'getPageViewInRevisionById',
      summary: 'Read a page of a revision with all that showing it takes.',
      extension: true,
    },
    listPageLinks: {
      id: 'listPageLinksInRevision',
      summary: 'List the links of a page of a revision.',
      extension: true,
    },
    listPageBacklinks: {
      id: 'listPageBacklinksInRevision',
      summary: 'List the places of a revision that link to a page.',
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
      summary: 'Read what a change request proposes, whole.',
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
      summary: 'Read what is known about a file of a change request.',
    },
    listFileBacklinks: {
      id: 'listChangeRequestFileBacklinks',
      summary: 'List the places of a change request that link to a file.',
    },
    getPage: {
      id: 'getPageInChangeRequestById',
      summary: 'Read a page of a change request.',
    },
    getPageByPath: {
      id: 'getPageInChangeRequestByPath',
      summary: 'Read the page of a change request at an address, written as for the current content.',
      extension: true,
    },
    listPageLinks: {
      id: 'listChangeRequestPageLinks',
      summary: 'List the links of a page of a change request.',
      description: '`stats.broken.changeRequest` counts those that the change request broke.',
    },
  },
});

export const contentOperations = { ...currentReads, ...revisionReads, ...changeRequestReads } as const;
