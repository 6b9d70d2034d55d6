import { fastify } from 'fastify';
import { createClient } from '../../src/client/index.ts';
import type { LinkReport } from '../../src/content/report/link-report.ts';
import {
  type Accounts,
  createOidcSignIn,
  createSamlSignIn,
  createSessionStore,
  openAccounts,
  openInvitations,
  openProviderLinks,
  type SmtpSettings,
} from '../../src/identity/index.ts';
import { createHttp } from '../../src/net/http.ts';
import { openTranslationSegments } from '../../src/platform/index.ts';
import { compressAnswers } from '../../src/server/compress-answers.ts';
import { createIgnoreReader } from '../../src/server/status/expiring-ignores.ts';
import { loadCarryingPulls, loadSpaceRepository } from '../../src/server/status/load-space-repository.ts';
import { findWeakColors, renderLookSample } from '../../src/sites/index.ts';
import { openStatusNotices } from '../../src/store/index.ts';
import {
  type Disconnection,
  registerPages,
  type SchedulerResults,
  type SignInProvider,
  type StatusRepository,
} from '../../src/web/index.ts';
import { startPlatform, type TestPlatform } from '../platform/start-platform.ts';

/** Of passwords on these pages: the real one takes 0.2 s for each hash. */
export const PASSWORD_COST = { ln: 10, r: 8, p: 1 };

export interface PageRoute {
  readonly method: string;
  readonly path: string;
}

export interface TestPages {
  readonly url: string;
  /** What is registered: methods and paths, with the names of parameters. */
  readonly routes: readonly PageRoute[];
  readonly platform: TestPlatform;
  /** Where the pages look for the platform. */
  platformUrl: string;
  readonly reports: Map<string, LinkReport>;
  /** What the scheduler did, by space. */
  readonly scheduled: Map<string, SchedulerResults>;
  /** Why nothing reaches a space any more, by space. */
  readonly disconnected: Map<string, Disconnection>;
  /** What is wrong with the configuration of a space's repository, by space. */
  readonly configErrors: Map<string, string>;
  /** What the status page tells, and what was asked for on it. */
  readonly repositories: StatusRepository[];
  readonly asked: string[];
  readonly log: string[];
  /** The accounts of people, with the clock of the pages. */
  readonly accounts: Accounts;
  /** The buttons of the sign-in page. */
  providers: SignInProvider[];
  /** The clock of the pages. */
  time: Date;
  /** Asks for a page as a browser does, without following redirects. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The cookie of someone who signed in with this token; the administrator's when left out. */
  signIn(token?: string): Promise<string>;
  close(): Promise<void>;
}

/** The pages for people on a server of their own, before a real platform with a real database. */
export async function startPages(
  options: { readonly publicUrl?: string; readonly smtp?: SmtpSettings; readonly withJobs?: boolean } = {},
): Promise<TestPages> {
  const platform = await startPlatform(options);
  const publicUrl = options.publicUrl ?? 'http://docs.example';
  const accounts = openAccounts({
    ...platform.deps,
    publicUrl,
    passwordCost: PASSWORD_COST,
    now: () => pages.time,
  });
  const http = createHttp({ userAgent: 'docloom-test' });
  const statusNotices = openStatusNotices({ url: platform.database.store.directUrl, log: () => {} });
  const app = fastify({ forceCloseConnections: true });
  const routes: PageRoute[] = [];
  app.addHook('onRoute', ({ method, url: path }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, path });
  });
  const reports = new Map<string, LinkReport>();
  const scheduled = new Map<string, SchedulerResults>();
  const disconnected = new Map<string, Disconnection>();
  const configErrors = new Map<string, string>();
  const repositories: StatusRepository[] = [];
  const asked: string[] = [];
  const log: string[] = [];
  const write = (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`);
  await compressAnswers(app);
  await registerPages(app, {
    clientFor: (token) => createClient({ baseUrl: pages.platformUrl, token, http }),
    siteLooks: { renderSample: renderLookSample, findWeakColors },
    sealer: platform.deps.sealer,
    sessionStore: createSessionStore({ ...platform.deps, now: () => pages.time }),
    accounts,
    invitations: openInvitations({
      ...platform.deps,
      publicUrl,
      passwordCost: PASSWORD_COST,
      now: () => pages.time,
    }),
    providerLinks: openProviderLinks({ ...platform.deps, now: () => pages.time }),
    saml: createSamlSignIn({ ...platform.deps, publicUrl, now: () => pages.time }),
    oidc: createOidcSignIn({ ...platform.deps, http, publicUrl, now: () => pages.time }),
    signInProviders: async () => pages.providers,
    translationSegments: openTranslationSegments(platform.deps, () => ({
      address: null,
      userAgent: null,
      requestId: null,
    })),
    publicUrl,
    loadReport: async (id) => reports.get(id) ?? null,
    loadScheduled: async (id) => scheduled.get(id) ?? null,
    loadDisconnected: async () => disconnected,
    loadExpiringIgnores: createIgnoreReader(platform.deps.db),
    loadSpaceRepository: (spaceId) => loadSpaceRepository({ ...platform.deps, address: () => null }, spaceId),
    loadCarryingPulls: (spaceId, changeRequestId) =>
      loadCarryingPulls({ ...platform.deps, address: () => null }, spaceId, changeRequestId),
    watchStatus: statusNotices.subscribe,
    loadConfigError: async (id) => configErrors.get(id) ?? null,
    status: {
      list: async (_after, find) => ({
        repositories: repositories.filter(({ name }) => name.includes(find)),
        next: null,
      }),
      find: async (wanted) => repositories.find(({ id }) => id === wanted) ?? null,
      sync: async (id) => void asked.push(`sync ${id}`),
      syncSpace: async (id) => asked.push(`sync space ${id}`) > 0,
      retry: async (id, job) => asked.push(`retry ${id} ${job}`) > 0,
      readSpecification: async (id, name) => void asked.push(`read ${id} ${name}`),
      work: async () => ({ queues: [], rateLimits: [], schedules: [], failed: [] }),
      retryAny: async (job) => asked.push(`retry ${job}`) > 0,
    },
    log: { warn: write, error: write },
    now: () => pages.time,
  });
  await accounts.start();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const pages: TestPages = {
    url,
    routes,
    platform,
    platformUrl: platform.url,
    reports,
    scheduled,
    disconnected,
    configErrors,
    repositories,
    asked,
    log,
    accounts,
    providers: [],
    time: new Date(),
    get: (path, headers = {}) => fetch(`${url}${path}`, { headers, redirect: 'manual' }),
    post: (path, fields, headers = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
        redirect: 'manual',
      }),
    async signIn(token = platform.token) {
      const answer = await pages.post('/login', { token });
      const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
      if (answer.status !== 303 || cookie === undefined) throw new Error(`sign-in answered ${answer.status}`);
      return cookie;
    },
    async close() {
      await app.close();
      await statusNotices.close();
      await http.close();
      await platform.close();
    },
  };
  return pages;
}
