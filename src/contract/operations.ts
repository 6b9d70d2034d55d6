import { agentInstructionOperations } from './agent-instructions/operations.ts';
import { answerOperations } from './answers/operations.ts';
import { auditOperations } from './audit/operations.ts';
import { changeRequestOperations } from './change-requests/operations.ts';
import { collectionOperations } from './collections/operations.ts';
import { commentOperations } from './comments/operations.ts';
import { contentOperations } from './content/operations.ts';
import { conversationOperations } from './conversations/operations.ts';
import { descriptionOperations } from './description/operations.ts';
import { editingOperations } from './editing/operations.ts';
import { gitOperations } from './git/operations.ts';
import { grantOperations } from './grants/operations.ts';
import { inviteOperations } from './invites/operations.ts';
import { memberOperations } from './members/operations.ts';
import { notificationOperations } from './notifications/operations.ts';
import { openapiOperations } from './openapi/operations.ts';
import { organizationOperations } from './organizations/operations.ts';
import { reviewOperations } from './reviews/operations.ts';
import { searchOperations } from './search/operations.ts';
import { sessionOperations } from './sessions/operations.ts';
import { signInOperations } from './sign-in/operations.ts';
import { siteFeedbackOperations } from './site-feedback/operations.ts';
import { siteLookOperations } from './site-look/operations.ts';
import { sitePreviewOperations } from './site-previews/operations.ts';
import { siteRedirectOperations } from './site-redirects/operations.ts';
import { siteShareLinkOperations } from './site-share-links/operations.ts';
import { siteStructureOperations } from './site-structure/operations.ts';
import { siteVisitorOperations } from './site-visitors/operations.ts';
import { siteOperations } from './sites/operations.ts';
import { spaceOperations } from './spaces/operations.ts';
import { teamOperations } from './teams/operations.ts';
import { templateOperations } from './templates/operations.ts';
import { tokenOperations } from './tokens/operations.ts';
import { translationOperations } from './translations/operations.ts';

/** The operations of each area, in the order of the documentation. An area is a folder here and in the platform. */
export const operationsByArea = {
  organizations: organizationOperations,
  members: memberOperations,
  teams: teamOperations,
  grants: grantOperations,
  invites: inviteOperations,
  tokens: tokenOperations,
  sessions: sessionOperations,
  'sign-in': signInOperations,
  audit: auditOperations,
  collections: collectionOperations,
  spaces: spaceOperations,
  search: searchOperations,
  answers: answerOperations,
  templates: templateOperations,
  content: contentOperations,
  'change-requests': changeRequestOperations,
  editing: editingOperations,
  comments: commentOperations,
  notifications: notificationOperations,
  reviews: reviewOperations,
  git: gitOperations,
  openapi: openapiOperations,
  translations: translationOperations,
  conversations: conversationOperations,
  'agent-instructions': agentInstructionOperations,
  sites: siteOperations,
  'site-visitors': siteVisitorOperations,
  'site-look': siteLookOperations,
  'site-redirects': siteRedirectOperations,
  'site-previews': sitePreviewOperations,
  'site-structure': siteStructureOperations,
  'site-share-links': siteShareLinkOperations,
  'site-feedback': siteFeedbackOperations,
  description: descriptionOperations,
} as const;

export type OperationsByArea = typeof operationsByArea;
export type Area = keyof OperationsByArea;

/** All members of a union at once. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export type Operations = Intersection<OperationsByArea[Area]>;
export type OperationName = keyof Operations;

/** Every operation of the platform's API, by name. */
export const operations = Object.assign({}, ...Object.values(operationsByArea)) as Operations;
