import { fastify } from 'fastify';
import type { RepositoryCacheOptions } from '../../src/git/index.ts';
import { findBearer, openSiteReaders } from '../../src/identity/index.ts';
import { httpOptions, maySeeSite, type PlatformDeps } from '../../src/platform/index.ts';
import { answerFirst } from '../../src/server/answer-first.ts';
import { compressAnswers } from '../../src/server/compress-answers.ts';
import { settleHost } from '../../src/server/settle-host.ts';
import { createSiteHosts, ReaderSignIn, registerSites } from '../../src/sites/index.ts';
import {
  insertSite,
  insertSiteSpace,
  newId,
  type SiteRow,
  type SiteSpaceRow,
  updateOrganization,
} from '../../src/store/index.ts';
import { startPlatform, type TestPlatform } from '../platform/start-platform.ts';

export interface TestSites {
  readonly platform: TestPlatform;
  readonly readers: ReaderSignIn;
  /** What is registered: method and path. */
  readonly routes: readonly string[];
  /** Addresses of requests that were not answered before the framework took them apart. */
  readonly routed: readonly string[];
  /** Whether the browser that calls is signed in as a member. */
  isMember: boolean;
  /** Of whoever is signed in in it, with the rights that they have; null for nobody. */
  memberToken: string | null;
  /** Calls without following redirects. */
  get(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): ReturnType<ReturnType<typeof fastify>['inject']>;
  post(
    path: string,
    payload: string,
    headers?: Readonly<Record<string, string>>,
  ): ReturnType<ReturnType<typeof fastify>['inject']>;
  /** Where programs reach the sites over HTTP. */
  listen(): Promise<string>;
  /** A published site of the organization. */
  createSite(basename: string, change?: Partial<SiteRow>): Promise<SiteRow>;
  addSpace(site: SiteRow, spaceId: string, change?: Partial<SiteSpaceRow>): Promise<SiteSpaceRow>;
  close(): Promise<void>;
}

const NOWHERE = { address: null, userAgent: null, requestId: null };

/** Sites on a server of their own, beside a real platform with a real database. The organization's hostname is `acme`. */
export async function startSites({
  sitesUrl = null,
  git = {},
  model = () => null,
}: {
  readonly sitesUrl?: string | null;
  /** Opens the language model; none when absent. */
  readonly model?: (db: PlatformDeps['db']) => PlatformDeps['model'];
  readonly git?: Partial<RepositoryCacheOptions>;
} = {}): Promise<TestSites> {
  const platform = await startPlatform({ git });
  const { db } = platform.deps;
  await updateOrganization(db, platform.organizationId, { hostname: 'acme' });
  const hosts = createSiteHosts(sitesUrl);
  const warnings: string[] = [];
  const stream = { write: (line: string) => void warnings.push(line) };
  const app = fastify({
    ...httpOptions,
    trustProxy: 'loopback',
    rewriteUrl: hosts.rewriteUrl,
    logger: { level: 'warn', stream },
  });
  await compressAnswers(app);
  const setAnswerFirst = answerFirst(app, settleHost);
  const routes: string[] = [];
  const routed: string[] = [];
  app.addHook('onRequest', async ({ originalUrl }) => void routed.push(originalUrl));
  app.addHook('onRoute', ({ method, url }) => void routes.push(`${method} ${url}`));
  const { sealer } = platform.deps;
  const readers = new ReaderSignIn({ ...platform.deps, sitesUrl }, hosts, openSiteReaders({ db, sealer }));
  await registerSites(app, {
    platform: { ...platform.deps, sitesUrl, model: model(db) ?? null },
    hosts,
    answerFirst: setAnswerFirst,
    readers,
    isMember: async (request, site) => {
      if (sites.isMember) return true;
      const { memberToken } = sites;
      const owner =
        memberToken === null
          ? await readers.find(request, site.organizationId)
          : await findBearer(db, memberToken);
      return await maySeeSite(db, owner, site, NOWHERE);
    },
  });
  const stop = await hosts.start(db, (error) => {
    throw error;
  });
  const sites: TestSites = {
    platform,
    readers,
    routes,
    routed,
    isMember: false,
    memberToken: null,
    get: (url, headers = {}) => app.inject({ url, headers }),
    post: (url, payload, headers = {}) => app.inject({ method: 'POST', url, payload, headers }),
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    createSite: (basename, change) =>
      insertSite(db, {
        id: newId(),
        organizationId: platform.organizationId,
        title: 'Acme Docs',
        type: 'basic',
        visibility: 'public',
        publishedAt: new Date(),
        ...change,
        basename,
      }),
    addSpace: (site, spaceId, change) =>
      insertSiteSpace(db, {
        id: newId(),
        siteId: site.id,
        sectionId: null,
        path: 'docs',
        ...change,
        spaceId,
      }),
    async close() {
      await stop();
      await app.close();
      await platform.close();
      if (warnings.length > 0) throw new Error(`The sites logged warnings: ${warnings[0]}`);
    },
  };
  return sites;
}
