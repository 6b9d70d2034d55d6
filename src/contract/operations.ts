/** Every operation of the platform's API, in the order of the documentation. Adding one is a row here and a handler. */
import * as changeRequests from './operations/change-requests.ts';
import * as collections from './operations/collections.ts';
import * as content from './operations/content.ts';
import * as description from './operations/description.ts';
import * as git from './operations/git.ts';
import * as members from './operations/members.ts';
import * as openapi from './operations/openapi.ts';
import * as organizations from './operations/organizations.ts';
import * as revisions from './operations/revisions.ts';
import * as search from './operations/search.ts';
import * as spaces from './operations/spaces.ts';
import * as templates from './operations/templates.ts';
import * as translations from './operations/translations.ts';

export const operations = {
  listOrganizations: organizations.listOrganizations,
  createOrganization: organizations.createOrganization,
  getOrganization: organizations.getOrganization,
  updateOrganization: organizations.updateOrganization,
  getUser: organizations.getUser,

  listMembers: members.listMembers,
  getMember: members.getMember,
  updateMember: members.updateMember,
  removeMember: members.removeMember,
  listMemberSpaces: members.listMemberSpaces,
  pingOrganization: members.pingOrganization,
  getUserById: members.getUserById,

  listCollections: collections.listCollections,
  createCollection: collections.createCollection,
  getCollection: collections.getCollection,
  updateCollection: collections.updateCollection,
  deleteCollection: collections.deleteCollection,
  listCollectionSpaces: collections.listCollectionSpaces,
  moveCollection: collections.moveCollection,
  transferCollection: collections.transferCollection,

  listSpaces: spaces.listSpaces,
  createSpace: spaces.createSpace,
  getSpace: spaces.getSpace,
  updateSpace: spaces.updateSpace,
  deleteSpace: spaces.deleteSpace,
  duplicateSpace: spaces.duplicateSpace,
  restoreSpace: spaces.restoreSpace,
  moveSpace: spaces.moveSpace,
  transferSpace: spaces.transferSpace,
  listSpaceLinks: spaces.listSpaceLinks,

  searchSpace: search.searchSpace,
  searchOrganization: search.searchOrganization,

  applyTemplate: templates.applyTemplate,
  getContent: content.getContent,
  listPages: content.listPages,
  listFiles: content.listFiles,
  getFile: content.getFile,
  listFileBacklinks: content.listFileBacklinks,
  getPage: content.getPage,
  getPageByPath: content.getPageByPath,
  getPageView: content.getPageView,
  listPageLinks: content.listPageLinks,
  listPageBacklinks: content.listPageBacklinks,

  getRevision: revisions.getRevision,
  listRevisionPages: revisions.listRevisionPages,
  listRevisionFiles: revisions.listRevisionFiles,
  getRevisionFile: revisions.getRevisionFile,
  downloadRevisionFile: revisions.downloadRevisionFile,
  listRevisionFileBacklinks: revisions.listRevisionFileBacklinks,
  getRevisionPage: revisions.getRevisionPage,
  getRevisionPageByPath: revisions.getRevisionPageByPath,
  getRevisionPageView: revisions.getRevisionPageView,
  listRevisionPageLinks: revisions.listRevisionPageLinks,
  listRevisionPageBacklinks: revisions.listRevisionPageBacklinks,
  listRevisionLinks: revisions.listRevisionLinks,

  listChangeRequests: changeRequests.listChangeRequests,
  createChangeRequest: changeRequests.createChangeRequest,
  getChangeRequest: changeRequests.getChangeRequest,
  updateChangeRequest: changeRequests.updateChangeRequest,
  changeContent: changeRequests.changeContent,
  mergeChangeRequest: changeRequests.mergeChangeRequest,
  bringUpChangeRequest: changeRequests.bringUpChangeRequest,

  getChangeRequestContent: changeRequests.getChangeRequestContent,
  listChangeRequestPages: changeRequests.listChangeRequestPages,
  listChangeRequestFiles: changeRequests.listChangeRequestFiles,
  getChangeRequestFile: changeRequests.getChangeRequestFile,
  listChangeRequestFileBacklinks: changeRequests.listChangeRequestFileBacklinks,
  getChangeRequestPage: changeRequests.getChangeRequestPage,
  getChangeRequestPageByPath: changeRequests.getChangeRequestPageByPath,
  listChangeRequestPageLinks: changeRequests.listChangeRequestPageLinks,

  importGit: git.importGit,
  exportGit: git.exportGit,
  getGitInfo: git.getGitInfo,
  listGitOperations: git.listGitOperations,

  listOpenAPISpecs: openapi.listOpenAPISpecs,
  createOpenAPISpec: openapi.createOpenAPISpec,
  getOpenAPISpec: openapi.getOpenAPISpec,
  putOpenAPISpec: openapi.putOpenAPISpec,
  updateOpenAPISpec: openapi.updateOpenAPISpec,
  deleteOpenAPISpec: openapi.deleteOpenAPISpec,
  listOpenAPISpecVersions: openapi.listOpenAPISpecVersions,
  getLatestOpenAPISpecVersion: openapi.getLatestOpenAPISpecVersion,
  getLatestOpenAPISpecVersionContent: openapi.getLatestOpenAPISpecVersionContent,
  getOpenAPISpecVersion: openapi.getOpenAPISpecVersion,
  getOpenAPISpecVersionContent: openapi.getOpenAPISpecVersionContent,
  getOpenAPIDocument: openapi.getOpenAPIDocument,
  listOpenAPIChanges: openapi.listOpenAPIChanges,
  listOpenAPISpecBacklinks: openapi.listOpenAPISpecBacklinks,
  listPageOperations: openapi.listPageOperations,

  listTranslations: translations.listTranslations,
  createTranslation: translations.createTranslation,
  getTranslation: translations.getTranslation,
  updateTranslation: translations.updateTranslation,
  deleteTranslation: translations.deleteTranslation,
  runTranslation: translations.runTranslation,

  getDescription: description.getDescription,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
