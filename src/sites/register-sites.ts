import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type PlatformDeps, sitePreviewPath } from '../platform/index.ts';
import type { ReplicaReads, SitePreviewRow } from '../store/index.ts';
import { PageNotRead } from '../threads/index.ts';
import { answerSurface } from './answer-surface.ts';
import { PathTargets } from './content/path-targets.ts';
import { SiteRedirects } from './content/site-redirects.ts';
import { SpaceContents } from './content/space-contents.ts';
import { FinishedAnswers } from './finished-answer.ts';
import { OrganizationRoots } from './organization-root.ts';
import { SitePreviews } from './preview/load-preview.ts';
import { ReaderLimit } from './reader-limit.ts';
import { RecentAnswers } from './recent-answers.ts';
import { registerHostCheck } from './register-host-check.ts';
import { registerRobots } from './register-robots.ts';
import { type AnswerFirst, mayRepeat, repeatAtOnce } from './repeat-at-once.ts';
import { SearchTurns } from './search/search-turns.ts';
import { siteSecurityHeaders } from './security-headers.ts';
import { repeatAnswer } from './send-finished.ts';
import { type ServedSite, ServedSites, type SiteKey } from './served-sites.ts';
import { type SiteAddresses, siteAddressesAt } from './site-addresses.ts';
import { HOST_ROUTES, type SiteHosts } from './site-hosts.ts';
import type { SiteParts, SiteRequest } from './site-request.ts';
import { SocialPictures } from './social/social-pictures.ts';
import { answerAsset } from './surfaces/answer-asset.ts';
import { MCP_PATH } from './surfaces/answer-mcp.ts';
import { answerMissingPage } from './surfaces/answer-missing-page.ts';
import { answerRefusal, NOTHING_HERE, TOKEN_NEEDED } from './surfaces/answer-refusal.ts';
import { decideAccess } from './visitor/decide-access.ts';
import { asProgram, ownQuery, readVisitor, VisitorCookies } from './visitor/read-visitor.ts';
import { READER_PATH, type ReaderSignIn } from './visitor/reader-sign-in.ts';
import { pageOutcomes, visibleContents } from './visitor/visible-contents.ts';
import { outcomesFor } from './visitor/visible-structure.ts';

const NO_CACHING = 'private, no-store';

/** How long somebody who is sent to sign in again and again is taken for the same. */
const ATTEMPTS_SECONDS = 60;

/** After which readers try again when too many long pages are read at once. */
const RETRY_SECONDS = 5;

/** Of what is posted, in bytes. */
const MAX_BODY = 64 * 1024;

/** Of finished answers, in each encoding. */
const CACHE_BYTES = 64 * 1024 * 1024;

export interface SitesDeps {
  readonly platform: PlatformDeps;
  /** From which published pages are read where it is up to date; null or absent for none. */
  readonly replica?: ReplicaReads | null;
  readonly hosts: SiteHosts;
  /** Lets the sites answer requests before the framework does; absent where nothing is to be answered so. */
  readonly answerFirst?: (first: AnswerFirst) => void;
  /** How members come to read at hosts of sites. */
  readonly readers: ReaderSignIn;
  /** Whether the browser's session belongs to a member who may see a site that is not published. */
  readonly isMember: (
    request: FastifyRequest,
    site: { readonly id: string; readonly organizationId: string },
  ) => Promise<boolean>;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a request means: a site, or a preview of it. */
interface FoundSite {
  readonly served: ServedSite;
  readonly preview: SitePreviewRow | null;
  readonly addresses: SiteAddresses;
  readonly cookies: VisitorCookies;
  readonly path: string;
}

interface SiteParams {
  readonly organization: string;
  readonly basename: string;
  readonly '*'?: string;
}

/** Serves published sites: below `/s/<organization>/<site>`, or at hosts of their own. */
export async function registerSites(fastify: FastifyInstance, deps: SitesDeps): Promise<void> {
  const { platform, replica = null } = deps;
  const sites = new ServedSites(platform.db, Date.now, replica);
  const roots = new OrganizationRoots(platform);
  registerHostCheck(fastify, { hosts: deps.hosts, roots, publicUrl: platform.publicUrl });
  const contents = new SpaceContents(platform.db);
  const parts: SiteParts = {
    platform,
    replica,
    answers: new FinishedAnswers(CACHE_BYTES),
    recent: new RecentAnswers(),
    searches: new SearchTurns(),
    feedback: new ReaderLimit(platform.db, 'feedback', 10),
    missedSearches: new ReaderLimit(platform.db, 'missed searches', 10),
    questions: new ReaderLimit(platform.db, 'questions', 20),
    pathTargets: new PathTargets(),
    redirects: new SiteRedirects(platform.db),
    pictures: new SocialPictures(),
  };
  const previews = new SitePreviews(platform.db, contents);
  deps.answerFirst?.(repeatAtOnce({ sites, recent: parts.recent }));

  /** @param reachedAt the path at which the request found the site, without a slash at its end */
  async function find(path: string, key: SiteKey, reachedAt: string): Promise<FoundSite | null> {
    const served = await sites.find(key);
    if (served === null) return null;
    const cookiesFor = (name: string, at: string) =>
      new VisitorCookies(name, { path: at, secure: platform.publicUrl.startsWith('https:') });
    const inside = previewIn(path);
    if (inside === null) {
      const addresses = siteAddressesAt(platform, served, reachedAt);
      const cookies = cookiesFor(served.site.id, reachedAt === '' ? '/' : reachedAt);
      return { served, preview: null, addresses, cookies, path };
    }
    const found = await previews.find(served, inside.id);
    if (found === null) return null;
    const at = sitePreviewPath(inside.id);
    return {
      served: found.served,
      preview: found.row,
      addresses: siteAddressesAt(platform, served, reachedAt, at),
      cookies: cookiesFor(inside.id, `${reachedAt}/${at}`),
      path: inside.path,
    };
  }

  async function answer({ request, reply }: Exchange, key: SiteKey, reachedAt: string): Promise<void> {
    const isAtHost = deps.hosts.isRewritten(request.raw);
    const notFound = () => answerRefusal({ request, reply }, NOTHING_HERE, reachedAt, { isAtHost });
    const asked = decodedPath(request);
    const inside = asked === null ? null : (previewIn(asked)?.path ?? asked);
    if (inside !== null && (await answerAsset({ request, reply }, inside))) return;
    const found = asked === null ? null : await find(asked, key, reachedAt);
    if (found === null) return notFound();
    const { served, preview, addresses, cookies, path } = found;
    const browser = readVisitor(request, cookies, () => deps.isMember(request, served.site));
    const visitor = path === MCP_PATH ? asProgram(browser, request) : browser;
    const access = await decideAccess(
      {
        site: served.site,
        preview,
        admissions: served.admissions,
        visitorKeys: () =>
          served.admissions.visitorKeys.map(({ sealedKey }) => platform.sealer.unseal(sealedKey)),
        audiences: [served.site.id, addresses.canonical()],
        now: new Date(),
      },
      visitor,
    );
    if (access.kind === 'none') return notFound();
    reply.header('cache-control', NO_CACHING);
    if (path === MCP_PATH && (access.kind === 'refused' || access.kind === 'sign-in')) {
      reply.header('www-authenticate', 'Bearer');
      return answerRefusal({ request, reply }, TOKEN_NEEDED, reachedAt);
    }
    if (access.kind === 'refused') {
      return answerRefusal({ request, reply }, { status: 403, reason: access.reason }, reachedAt);
    }
    if (access.kind === 'sign-in') {
      cookies.write(reply, 'attempts', String(visitor.attempts + 1), ATTEMPTS_SECONDS);
      reply.redirect(signInAddress(access.address, addresses.canonical(path)), 302);
      return;
    }
    if (access.kind === 'enter') {
      for (const { name, value, maxAgeSeconds } of access.cookies) {
        cookies.write(reply, name, value, maxAgeSeconds);
      }
      reply.redirect(addresses.below(path) + ownQuery(request), 302);
      return;
    }
    const outcomes = outcomesFor(served, access.claims);
    // Without claims, all visitors see the same pages.
    const ofPages = served.site.adaptiveContent
      ? await pageOutcomes(contents, outcomes.structure, access.claims)
      : '';
    const site: SiteRequest = {
      ...parts,
      request,
      reply,
      served,
      isForEverybody: access.kind === 'everybody',
      claims: access.claims,
      contents: visibleContents(contents, access.claims),
      outcomes: `${outcomes.key} ${ofPages}`,
      structure: outcomes.structure,
      addresses,
      path,
      endsWithSlash: /^[^?]*\/(?:\?|$)/.test(request.originalUrl),
    };
    // A reply is a promise of its own end, so nothing here returns it but the handlers.
    if (!(await answerSurface(site)) && !(await answerMissingPage(site))) notFound();
  }

  /** Answers at once where everybody gets what was just sent to somebody else, and returns true; false where not. */
  function repeat({ request, reply }: Exchange): boolean {
    if (!mayRepeat(request.raw)) return false;
    const { originalUrl: url, headers } = request;
    const recent = parts.recent.find({ url, headers });
    if (recent === undefined || !sites.isFresh(recent.served)) return false;
    repeatAnswer({ request, reply }, recent, reply.getHeaders() as Record<string, string>);
    return true;
  }

  await fastify.register(async (app) => {
    // Answers are compressed when they are made, and kept so.
    app.addHook('onRoute', (route) => {
      route.compress = false;
    });
    // Each surface that can be posted to reads its own body, which is small.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded'],
      { parseAs: 'string', bodyLimit: MAX_BODY },
      (_request, body, done) => done(null, body),
    );
    const ofHosts = Object.values(HOST_ROUTES);
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(siteSecurityHeaders);
      const isOfHost = ofHosts.some((prefix) => request.routeOptions.url?.startsWith(`${prefix}/`));
      if (isOfHost && !deps.hosts.isRewritten(request.raw))
        answerRefusal({ request, reply }, NOTHING_HERE, '');
      else if (!repeat({ request, reply })) done();
    });
    await app.register(cookie);
    app.setErrorHandler((error, _request, reply) => {
      reply.header('cache-control', NO_CACHING);
      const isPassing =
        error instanceof PageNotRead || (error instanceof ApiError && error.reason === 'unavailable');
      if (!isPassing) throw error;
      return notNow(reply, error.message);
    });
    const signIn = async (request: FastifyRequest, reply: FastifyReply) => {
      await deps.readers.answer({ request, reply });
      return reply;
    };
    const atOrganization = (prefix: string, rootAt: (label: string) => string) => {
      const handler = (request: FastifyRequest, reply: FastifyReply) => {
        const params = request.params as SiteParams;
        const reachedAt = `${rootAt(params.organization)}/${params.basename}`;
        return answer({ request, reply }, params, reachedAt).then(() => reply);
      };
      app.get(`${prefix}/:organization/:basename`, handler);
      app.get(`${prefix}/:organization/:basename/*`, handler);
      app.post(`${prefix}/:organization/:basename/*`, handler);
      const atRoot =
        (kind: 'answerPage' | 'answerRobots') => async (request: FastifyRequest, reply: FastifyReply) => {
          const { organization: label } = request.params as SiteParams;
          await roots[kind]({ request, reply, label, reachedAt: rootAt(label) });
          return reply;
        };
      app.get(`${prefix}/:organization`, atRoot('answerPage'));
      app.get(`${prefix}/:organization/robots.txt`, atRoot('answerRobots'));
      if (prefix === HOST_ROUTES.organization) app.get(`${prefix}/:organization/${READER_PATH}`, signIn);
      app.get(`${prefix}/:organization/~/assets/*`, async (request, reply) => {
        const path = `~/assets/${decodedPath(request)}`;
        if (!(await answerAsset({ request, reply }, path)))
          answerRefusal({ request, reply }, NOTHING_HERE, '');
        return reply;
      });
    };
    registerRobots(app, platform);
    atOrganization(HOST_ROUTES.organization, () => '');
    if (platform.sitesUrl === null) atOrganization('/s', (label) => `/s/${label}`);
    const atOwnHost = (request: FastifyRequest, reply: FastifyReply) =>
      answer({ request, reply }, request.params as { readonly hostname: string }, '').then(() => reply);
    app.get(`${HOST_ROUTES.own}/:hostname/${READER_PATH}`, signIn);
    app.get(`${HOST_ROUTES.own}/:hostname`, atOwnHost);
    app.get(`${HOST_ROUTES.own}/:hostname/*`, atOwnHost);
    app.post(`${HOST_ROUTES.own}/:hostname/*`, atOwnHost);
  });
}

/** The path below the site; null for one that no site can have. */
function decodedPath({ params }: FastifyRequest): string | null {
  const path = (params as Pick<SiteParams, '*'>)['*'] ?? '';
  return path.includes('\0') ? null : path.replace(/^\/+|\/+$/g, '');
}

/** The preview that a path below the site means, and the path in it; null for none. */
function previewIn(path: string): { readonly id: string; readonly path: string } | null {
  const [, id, rest = ''] = /^~\/preview\/([\w-]{1,40})(?:\/+(.*))?$/s.exec(path) ?? [];
  return id === undefined ? null : { id, path: rest };
}

/** Where to sign in, with the way back. */
function signInAddress(address: string, location: string): string {
  const url = new URL(address);
  url.searchParams.set('location', location);
  return url.href;
}

/** For what may be there in a moment, so that neither readers nor search engines take the source for the page. */
function notNow(reply: FastifyReply, reason: string): FastifyReply {
  return reply
    .code(503)
    .headers({ 'cache-control': NO_CACHING, 'retry-after': RETRY_SECONDS })
    .type('text/plain; charset=utf-8')
    .send(`${reason}\n`);
}
