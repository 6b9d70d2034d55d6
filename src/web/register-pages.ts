import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance } from 'fastify';
import { PlatformError } from '../client/index.ts';
import { registerComments } from './comments/comment-routes.ts';
import type { PagesDeps } from './deps.ts';
import { addEntityTags } from './entity-tags.ts';
import { openKnownBrowsers } from './known-browsers.ts';
import { registerAccount } from './routes/account-routes.ts';
import { registerAssets } from './routes/asset-routes.ts';
import { registerAudit } from './routes/audit-routes.ts';
import { registerChangeRequest } from './routes/change-request-route.ts';
import { registerChangeRequests } from './routes/change-requests-route.ts';
import { registerClusters } from './routes/cluster-routes.ts';
import { registerConflicts } from './routes/conflicts-route.ts';
import { registerContent } from './routes/content-route.ts';
import { registerConversations } from './routes/conversation-routes.ts';
import { registerEditor } from './routes/edit-routes.ts';
import { registerEditTree } from './routes/edit-tree-routes.ts';
import { registerFile } from './routes/file-route.ts';
import { registerGitHub } from './routes/github-routes.ts';
import { registerHome } from './routes/home-route.ts';
import { registerInstructions } from './routes/instruction-routes.ts';
import { registerInvite } from './routes/invite-routes.ts';
import { registerMembers } from './routes/member-routes.ts';
import { registerOidc } from './routes/oidc-routes.ts';
import { registerOrganizationInvites } from './routes/organization-invite-routes.ts';
import { registerOrganization } from './routes/organization-routes.ts';
import { registerOrganizations } from './routes/organizations-route.ts';
import { registerOwnSessions } from './routes/own-sessions-routes.ts';
import { registerOwnTokens } from './routes/own-tokens-routes.ts';
import { registerPage } from './routes/page-route.ts';
import { registerPagePath } from './routes/path-route.ts';
import { registerPlaceAccess } from './routes/place-access-routes.ts';
import { registerPreview } from './routes/preview-routes.ts';
import { registerProviderLinks } from './routes/provider-link-routes.ts';
import { registerReport } from './routes/report-route.ts';
import { registerSaml } from './routes/saml-routes.ts';
import { registerSchema } from './routes/schema-route.ts';
import { registerSearchEverything } from './routes/search-everything-route.ts';
import { registerSearch } from './routes/search-route.ts';
import { registerSetup } from './routes/setup-routes.ts';
import { registerSignIn } from './routes/sign-in-routes.ts';
import { type PagesContext, renderNotFound } from './routes/signed-in.ts';
import { registerSiteAddress } from './routes/site-address-routes.ts';
import { registerSiteAudience } from './routes/site-audience-routes.ts';
import { registerSiteList } from './routes/site-list-routes.ts';
import { registerSiteLook } from './routes/site-look-routes.ts';
import { registerSiteReader } from './routes/site-reader-route.ts';
import { registerSiteRedirects } from './routes/site-redirect-routes.ts';
import { registerSite } from './routes/site-routes.ts';
import { registerSiteStructure } from './routes/site-structure-routes.ts';
import { registerSpaceLinks } from './routes/space-links-route.ts';
import { registerSpaceList } from './routes/space-list-routes.ts';
import { registerSpace } from './routes/space-route.ts';
import { registerSpaceSettings } from './routes/space-settings-routes.ts';
import { registerSpaceSyncs } from './routes/space-syncs-routes.ts';
import { registerSpecs } from './routes/spec-routes.ts';
import { registerSso } from './routes/sso-routes.ts';
import { registerStatusEvents } from './routes/status-events-route.ts';
import { registerStatus } from './routes/status-routes.ts';
import { registerTeams } from './routes/team-routes.ts';
import { registerTranslations } from './routes/translation-routes.ts';
import { registerUploads } from './routes/upload-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { openSessions } from './session.ts';
import { renderMessage } from './views/message-view.ts';

/** Mounts the pages for people. Their headers, cookies and error pages apply only to them, except for the page of a 404. */
export async function registerPages(fastify: FastifyInstance, deps: PagesDeps): Promise<void> {
  const now = deps.now ?? (() => new Date());
  const knownBrowsers = openKnownBrowsers({ ...deps, now });
  const sessions = openSessions({ ...deps, knownBrowsers });
  const context: PagesContext = { ...deps, now, knownBrowsers, sessions };
  await fastify.register(async (app) => {
    await app.register(cookie);
    await app.register(formbody, { bodyLimit: 16 * 1024 });
    app.addHook('onRequest', async (request, reply) => {
      reply
        .headers({
          ...securityHeaders,
          'cache-control': isPersonal(request.url) ? 'no-store' : 'private, no-cache',
        })
        .type('text/html; charset=utf-8');
    });
    addEntityTags(app);
    handleProblems(app, context);
    registerAssets(app);
    registerSignIn(app, context);
    if (deps.accounts) {
      registerAccount(app, context, deps.accounts);
      registerOwnSessions(app, context);
      registerOwnTokens(app, context);
    }
    if (deps.providerLinks) registerProviderLinks(app, context, deps.providerLinks);
    if (deps.invitations) registerInvite(app, context, deps.invitations);
    if (deps.siteReaders) registerSiteReader(app, context, deps.siteReaders);
    registerHome(app, context);
    registerOrganizations(app, context);
    registerOrganization(app, context);
    registerAudit(app, context);
    registerMembers(app, context);
    registerTeams(app, context);
    registerOrganizationInvites(app, context);
    registerSpaceList(app, context);
    registerSpace(app, context);
    registerChangeRequests(app, context);
    registerChangeRequest(app, context);
    registerConflicts(app, context);
    registerSpaceLinks(app, context);
    registerSpaceSyncs(app, context);
    registerSpaceSettings(app, context);
    registerSiteList(app, context);
    registerSite(app, context);
    registerSiteStructure(app, context);
    registerSiteLook(app, context);
    registerSiteAudience(app, context);
    registerSiteAddress(app, context);
    registerSiteRedirects(app, context);
    registerSpecs(app, context);
    registerTranslations(app, context);
    registerClusters(app, context);
    registerConversations(app, context);
    registerInstructions(app, context);
    registerPlaceAccess(app, context);
    registerComments(app, context);
    registerPage(app, context);
    registerSearch(app, context);
    registerSearchEverything(app, context);
    registerContent(app, context);
    registerPagePath(app, context);
    registerFile(app, context);
    registerEditor(app, context);
    registerUploads(app, context);
    registerEditTree(app, context);
    registerPreview(app, context);
    registerReport(app, context);
    registerSchema(app, context);
    if (deps.gitHub) registerGitHub(app, context, deps.gitHub);
    if (deps.oidc) registerOidc(app, context, deps.oidc);
    if (deps.saml) registerSaml(app, context, deps.saml);
    if (deps.saml && deps.oidc) registerSso(app, context, { saml: deps.saml, oidc: deps.oidc });
    if (deps.status) registerStatus(app, context, deps.status);
    if (deps.watchStatus) registerStatusEvents(app, context, deps.watchStatus);
    if (deps.setup) registerSetup(app, context, deps.setup);
  });
}

/**
 * Pages with secrets, forms for them, or people: no cache keeps them. Others are kept, but shown only after a request.
 */
function isPersonal(url: string): boolean {
  return /^\/(login|account|setup|invite|orgs|site-sign-in)\b|^\/[a-z]+\/[^/?]+\/access\b/.test(url);
}

/** Answers every error with a page that has one sentence; unexpected errors are logged, without details on the page. */
function handleProblems(app: FastifyInstance, context: PagesContext): void {
  app.setNotFoundHandler(async (request, reply) =>
    reply.code(404).send(renderNotFound(await context.sessions.read(request))),
  );
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    // What made the request fail may make this fail, too.
    const user = await context.sessions.read(request).catch(() => null);
    const status = statusOf(error);
    if (status < 500) {
      const sentence = 'The server could not read this request. Go back and try again.';
      return reply.code(status).send(renderMessage({ title: 'Not understood', sentence, user }));
    }
    context.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'page failed');
    const outage =
      error instanceof PlatformError && error.status === 503
        ? error.message
        : (context.describeOutage?.(error) ?? null);
    if (outage !== null) {
      const page = renderMessage({ title: 'Not available', sentence: outage, user });
      return reply.code(503).header('retry-after', '5').send(page);
    }
    const sentence =
      status === 502
        ? 'The documentation platform did not answer. Reload this page in a moment.'
        : `An internal error occurred; the server’s log says more under ${request.id}.`;
    return reply.code(status).send(renderMessage({ title: 'That did not work', sentence, user }));
  });
}

function statusOf(error: FastifyError | Error): number {
  // Somebody wrote the address, and its query.
  if (error instanceof PlatformError && error.status === 400 && error.details[0]?.path.startsWith('/query/'))
    return 400;
  if (error instanceof PlatformError || error.name === 'FetchError') return 502;
  const status = (error as FastifyError).statusCode ?? 500;
  return status >= 400 ? status : 500;
}
