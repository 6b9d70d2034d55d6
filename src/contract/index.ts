export { describeApi } from './describe-api.ts';
export { type ErrorReason, errorReasons, listErrors } from './errors.ts';
export { listOperations } from './list-operations.ts';
export {
  type AnswerOf,
  type AnyOperation,
  type BodyOf,
  defineOperation,
  type HeadersOf,
  isBytes,
  isNothing,
  listHeaders,
  type Method,
  type Operation,
  type ParamNames,
  type ParamsOf,
  paramNames,
  type QueryOf,
} from './operation.ts';
export type { ContentChange } from './operations/change-requests.ts';
export { GitExportBody, GitImportBody } from './operations/git.ts';
export type { OpenAPISource } from './operations/openapi.ts';
export { type OperationName, type Operations, operations } from './operations.ts';
export { defaultLimit, maximumLimit } from './paging.ts';
export type { Position } from './position.ts';
export type { ChangeRequest } from './resources/change-request.ts';
export type { Collection } from './resources/collection.ts';
export type { Document, DocumentNode } from './resources/document.ts';
export { ErrorBody } from './resources/error-body.ts';
export type { File } from './resources/file.ts';
export type { GitInfo } from './resources/git-info.ts';
export { ContentNotice, GitOperation, stages } from './resources/git-operation.ts';
export type { Link, LinkStats } from './resources/link.ts';
export type { Member } from './resources/member.ts';
export { MergeRules, type MergeRulesInput } from './resources/merge-rules.ts';
export {
  type OpenAPIOperation,
  OpenAPISlug,
  type OpenAPISpec,
  type OpenAPISpecVersion,
} from './resources/openapi.ts';
export type { Organization } from './resources/organization.ts';
export type { Page } from './resources/page.ts';
export type { NavigationEntry, PageView, ShownOperation } from './resources/page-view.ts';
export type { Reference } from './resources/reference.ts';
export type { Revision } from './resources/revision.ts';
export type { SearchedSpace, SearchResult } from './resources/search.ts';
export type { Space } from './resources/space.ts';
export {
  type Translation,
  TranslationLanguage,
  translationLanguages,
  translationProviders,
} from './resources/translation.ts';
export type { User } from './resources/user.ts';
export { roles } from './scalars.ts';
export { type JsonSchema, toWireSchema } from './wire-schema.ts';
