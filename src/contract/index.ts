// The shapes of each area: its resources, as schemas and types. Operations are reached by `operations` alone.
export * from './agent-instructions/agent-instructions.ts';
export * from './agent-instructions/model-usage.ts';
export * from './answers/answer.ts';
export * from './audit/audit-event.ts';
export * from './change-requests/change-request.ts';
export * from './change-requests/changed-file.ts';
export * from './change-requests/conflict.ts';
export * from './change-requests/content-change.ts';
export * from './change-requests/contributor.ts';
export * from './change-requests/semantic-change.ts';
export * from './collections/collection.ts';
export * from './comments/comment.ts';
export * from './content/document.ts';
export * from './content/embedded-reference.ts';
export * from './content/file.ts';
export * from './content/link.ts';
export * from './content/page.ts';
export * from './content/page-view.ts';
export { type ContentRead, contentViews, nameRead, type ReadName } from './content/reads.ts';
export * from './content/reference.ts';
export * from './content/revision.ts';
export * from './conversations/conversation.ts';
export { describeApi } from './describe-api.ts';
export * from './editing/checked-text.ts';
export * from './editing/file-plan.ts';
export * from './editing/source.ts';
export { ErrorBody, type ErrorReason, errorReasons, errorsOutsideOperations, listErrors } from './errors.ts';
export * from './git/git-info.ts';
export * from './git/git-operation.ts';
export * from './git/git-request.ts';
export * from './grants/grant.ts';
export * from './invites/invite.ts';
export { isLanguage, languages } from './language.ts';
export { listOperations } from './list-operations.ts';
export * from './members/member.ts';
export * from './members/role-sources.ts';
export * from './notifications/notification.ts';
export * from './openapi/openapi-source.ts';
export * from './openapi/openapi-spec.ts';
export {
  type AnswerOf,
  type AnyOperation,
  type BodyOf,
  defineOperation,
  eventOf,
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
export {
  type Area,
  type OperationName,
  type Operations,
  type OperationsByArea,
  operations,
  operationsByArea,
} from './operations.ts';
export * from './organizations/merge-rules.ts';
export * from './organizations/organization.ts';
export * from './organizations/user.ts';
export { defaultLimit, maximumLimit } from './paging.ts';
export type { Position } from './position.ts';
export * from './reviews/merge-status.ts';
export * from './reviews/review.ts';
export { isTrimmed, type Role, roles, ruleOf } from './scalars.ts';
export * from './search/found-resource.ts';
export * from './search/search-result.ts';
export * from './sessions/session.ts';
export * from './sign-in/email-domain.ts';
export * from './sign-in/oidc-provider.ts';
export * from './sign-in/saml-provider.ts';
export * from './sign-in/unconfirmed-account.ts';
export * from './site-feedback/feedback.ts';
export * from './site-redirects/redirect.ts';
export * from './site-share-links/share-link.ts';
export * from './site-structure/site-structure.ts';
export * from './site-visitors/adaptive-schema.ts';
export * from './site-visitors/publishing-auth.ts';
export * from './sites/customization.ts';
export * from './sites/declared-site.ts';
export * from './sites/published-site.ts';
export * from './sites/site.ts';
export * from './sites/site-path.ts';
export * from './spaces/space.ts';
export * from './spaces/space-overview.ts';
export * from './teams/team.ts';
export * from './tokens/api-token.ts';
export * from './translations/translation.ts';
export { toWireSchema, type WireSchema } from './wire-schema.ts';
