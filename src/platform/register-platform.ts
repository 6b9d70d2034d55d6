import type { FastifyInstance } from 'fastify';
import type { nobody } from './access/caller.ts';
import { agentInstructionHandlers } from './agent-instructions/handlers.ts';
import { answerHandlers } from './answers/handlers.ts';
import { handleErrors } from './api/handle-errors.ts';
import { limitBodies } from './api/limit-bodies.ts';
import { forbidSniffing, nameRequests, readJson } from './api/prepare-requests.ts';
import { registerOperations } from './api/register-operations.ts';
import { auditHandlers } from './audit/handlers.ts';
import { changeRequestHandlers } from './change-requests/handlers.ts';
import { collectionHandlers } from './collections/handlers.ts';
import { commentHandlers } from './comments/handlers.ts';
import { contentHandlers } from './content/handlers.ts';
import { conversationHandlers } from './conversations/handlers.ts';
import type { PlatformDeps } from './deps.ts';
import { descriptionHandlers } from './description/handlers.ts';
import { editingHandlers } from './editing/handlers.ts';
import { gitHandlers } from './git/handlers.ts';
import { grantHandlers } from './grants/handlers.ts';
import { inviteHandlers } from './invites/handlers.ts';
import { memberHandlers } from './members/handlers.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { openapiHandlers } from './openapi/handlers.ts';
import { organizationHandlers } from './organizations/handlers.ts';
import { reviewHandlers } from './reviews/handlers.ts';
import { registerScim } from './scim/register-scim.ts';
import { searchHandlers } from './search/handlers.ts';
import { sessionHandlers } from './sessions/handlers.ts';
import { signInHandlers } from './sign-in/handlers.ts';
import { siteFeedbackHandlers } from './site-feedback/handlers.ts';
import { siteLookHandlers } from './site-look/handlers.ts';
import { sitePreviewHandlers } from './site-previews/handlers.ts';
import { siteRedirectHandlers } from './site-redirects/handlers.ts';
import { siteShareLinkHandlers } from './site-share-links/handlers.ts';
import { siteStructureHandlers } from './site-structure/handlers.ts';
import { siteVisitorHandlers } from './site-visitors/handlers.ts';
import { siteHandlers } from './sites/handlers.ts';
import { spaceHandlers } from './spaces/handlers.ts';
import { teamHandlers } from './teams/handlers.ts';
import { templateHandlers } from './templates/handlers.ts';
import { tokenHandlers } from './tokens/handlers.ts';
import { translationHandlers } from './translations/handlers.ts';

/** The largest request body, in bytes, for operations that set no limit of their own. */
const bodyLimit = 1024 * 1024;

/** Mounts the documentation platform's API under `/v1`, and its provisioning under `/scim/v2`. `startPlatformJobs` starts its background work. */
export async function registerPlatform(fastify: FastifyInstance, deps: PlatformDeps): Promise<void> {
  const handlers = {
    organizations: organizationHandlers(deps),
    members: memberHandlers(deps),
    teams: teamHandlers(deps),
    grants: grantHandlers(deps),
    invites: inviteHandlers(deps),
    tokens: tokenHandlers(deps),
    sessions: sessionHandlers(deps),
    audit: auditHandlers(deps),
    'sign-in': signInHandlers(deps),
    collections: collectionHandlers(deps),
    spaces: spaceHandlers(deps),
    search: searchHandlers(deps),
    answers: answerHandlers(deps),
    templates: templateHandlers(deps),
    content: contentHandlers(deps),
    'change-requests': changeRequestHandlers(deps),
    editing: editingHandlers(deps),
    comments: commentHandlers(deps),
    notifications: notificationHandlers(deps),
    reviews: reviewHandlers(deps),
    git: gitHandlers(deps),
    openapi: openapiHandlers(deps),
    translations: translationHandlers(deps),
    conversations: conversationHandlers(deps),
    'agent-instructions': agentInstructionHandlers(deps),
    sites: siteHandlers(deps),
    'site-structure': siteStructureHandlers(deps),
    'site-share-links': siteShareLinkHandlers(deps),
    'site-feedback': siteFeedbackHandlers(deps),
    'site-visitors': siteVisitorHandlers(deps),
    'site-look': siteLookHandlers(deps),
    'site-redirects': siteRedirectHandlers(deps),
    'site-previews': sitePreviewHandlers(deps),
    description: descriptionHandlers(deps),
  };
  await fastify.register(
    async (api) => {
      api.decorateRequest('caller', null as unknown as typeof nobody);
      nameRequests(api);
      forbidSniffing(api);
      readJson(api);
      handleErrors(api, deps);
      limitBodies(api);
      api.addHook('onRoute', (route) => {
        route.bodyLimit ??= bodyLimit;
      });
      registerOperations(api, deps, handlers);
    },
    { prefix: '/v1' },
  );
  await registerScim(fastify, deps);
}
