/** Composes the process: the store, the queue, the platform, the App and the pages, with one HTTP server. */
import { join } from 'node:path';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify';
import { createClient, operations, type PlatformClient } from '../client/index.ts';
import { type ApiReport, isApiReport, isLinkReport, type LinkReport } from '../content/report/index.ts';
import { openRepositoryCache } from '../git/index.ts';
import { currentDelivery, registerWebhookRoute, removalTime } from '../github/index.ts';
import {
  createGitHubSignIn,
  createOidcSignIn,
  createSamlSignIn,
  createSessionStore,
  findBearer,
  openAccounts,
  openInvitations,
  openMailer,
  openProviderLinks,
  openSiteReaders,
  openSsoLogins,
} from '../identity/index.ts';
import { createAddressGuard, createHttp, useProxies } from '../net/index.ts';
import {
  createDeriver,
  createPageOrigins,
  httpOptions,
  mayHaveMail,
  maySeeSite,
  openModel,
  openTranslationSegments,
  registerPlatform,
  startPlatformJobs,
} from '../platform/index.ts';
import { openCallQueues, openQueue } from '../queue/index.ts';
import {
  createSiteHosts,
  findWeakColors,
  ReaderSignIn,
  registerSites,
  renderLookSample,
} from '../sites/index.ts';
import {
  DATA_FOLDERS,
  type Database,
  findConfigError,
  findOutage,
  listDisconnected,
  loadReport,
  openBlobs,
  openReplica,
  openSealer,
  openStatusNotices,
  openStore,
  requireSameKey,
} from '../store/index.ts';
import { watchDiscussions } from '../sync/index.ts';
import { contentThreads, warmUp } from '../threads/index.ts';
import { type Disconnection, gitHubProvider, openSessions, originOf, registerPages } from '../web/index.ts';
import { answerFirst } from './answer-first.ts';
import { openAppGuard } from './app-guard.ts';
import { createAppWork } from './app-work.ts';
import { asOwnAdministrator } from './as-administrator.ts';
import { closeUnreadRequests } from './close-unread-requests.ts';
import { closeUnusedConnections } from './close-unused-connections.ts';
import { compressAnswers } from './compress-answers.ts';
import type { ServerConfig } from './config/index.ts';
import { currentOrigin, trackRequests } from './current-request.ts';
import { deleteOwnSpace } from './delete-space.ts';
import { drain, jobGraceMs } from './drain.ts';
import { Readiness, registerHealth } from './health.ts';
import { limitConnections } from './limit-connections.ts';
import type { Logger } from './log.ts';
import { registerMetrics } from './metrics/metrics-route.ts';
import { openProcessMeters } from './metrics/process-meters.ts';
import { createPageClient } from './page-client.ts';
import { recordAction } from './record-action.ts';
import { refetchSpace } from './refetch-space.ts';
import { requireHttps } from './require-https.ts';
import { worksOn } from './roles.ts';
import { serveOwnCalls } from './serve-own-calls.ts';
import { serviceToken } from './service-token.ts';
import { settleHost } from './settle-host.ts';
import { openAppSlot } from './setup/app-slot.ts';
import { gitHubClientOf } from './setup/github-client.ts';
import { setupAddress } from './setup/setup-key.ts';
import { createSetupPages } from './setup/setup-pages.ts';
import { loadStoredApp } from './setup/stored-app.ts';
import { startCleanup } from './start-cleanup.ts';
import { startDomainChecks } from './start-domain-checks.ts';
import { createIgnoreReader } from './status/expiring-ignores.ts';
import { loadScheduled } from './status/load-scheduled.ts';
import { loadCarryingPulls, loadSpaceRepository } from './status/load-space-repository.ts';
import { createStatusPages } from './status/status-pages.ts';
import { Teardown } from './teardown.ts';

export interface RunningServer {
  /** The address on which this process listens. */
  readonly url: string;
  /** The address at which people reach it. */
  readonly publicUrl: string;
  /** Where the first administrator and the GitHub App are made, with the key that opens the page; null once it was used. */
  readonly setupUrl: string | null;
  /** Whether there is a GitHub App. */
  readonly hasApp: boolean;
  /** Shuts down gracefully: no new jobs; running ones get time to finish, and unfinished ones return to the queue. */
  close(): Promise<void>;
}

const USER_AGENT = 'docloom';

/** As long as a standby takes to become the primary. */
const DATABASE_PATIENCE_MS = 60_000;

/** How long a request may take to arrive, with its body; the largest bodies are API specifications of 30 MB. */
const REQUEST_MS = 120_000;
const HEADERS_MS = 20_000;

/** How long a connection may stay silent, also while a response waits to be read. */
const SILENT_MS = 300_000;
const MAX_CONNECTIONS = 1_000;

/** For routes that set no limit of their own, and addresses that do not exist. */
const BODY_BYTES = 16 * 1024;

/** Of calls for which somebody waits in a browser. */
const BROWSER_TIMEOUTS = { connectMs: 5_000, headersMs: 8_000, bodyMs: 5_000, totalMs: 10_000 };

/** Starts `docloom serve`. If a part fails to start, those that were opened before are closed again. */
export async function startServer(config: ServerConfig, log: Logger): Promise<RunningServer> {
  const teardown = new Teardown(log);
  try {
    const { drainFirst, ...running } = await open(config, log, teardown);
    let closed: Promise<void> | undefined;
    return { ...running, close: () => (closed ??= drainFirst().finally(() => teardown.run())) };
  } catch (error) {
    await teardown.run();
    if (findOutage(error)?.kind !== 'database') throw error;
    const reason =
      'The database went away while the server was starting: start it again, which most supervisors do; it waits a minute for a database that is not ready.';
    throw new Error(reason, { cause: error });
  }
}

async function open(
  config: ServerConfig,
  log: Logger,
  teardown: Teardown,
): Promise<Omit<RunningServer, 'close'> & { readonly drainFirst: () => Promise<void> }> {
  const logInfo = (line: string, fields?: Record<string, unknown>) => log.info(fields ?? {}, line);
  const { dataDir } = config;
  useProxies(config.proxies);
  // While the database starts.
  const warm = config.role === 'worker' ? null : warmUp(contentThreads);
  warm?.catch(() => {});
  const store = await openStore({
    dataDir,
    databaseUrl: config.databaseUrl,
    databaseDirectUrl: config.databaseDirectUrl,
    log: logInfo,
    openPoolAtStart: true,
    patienceMs: DATABASE_PATIENCE_MS,
  });
  teardown.add('the database', () => store.close());
  const sealer = openSealer({ dataDir, secretKey: config.secretKey ?? undefined });
  await requireSameKey(store.db, sealer);
  const { guard, ...appGuard } = openAppGuard({ allowHosts: config.allowedHosts });
  if (config.github !== null) appGuard.allowHost(config.github.host);
  const git = await openRepositoryCache({
    directory: join(dataDir, DATA_FOLDERS.git),
    guard,
    maxCacheBytes: config.gitCacheBytes,
    log: (message, fields) => log.debug(fields, message),
  });
  const { role } = config;
  const meters = openProcessMeters();
  const http = createHttp({ userAgent: USER_AGENT });
  teardown.add('outgoing connections', () => http.close());
  const blobs = await openBlobs({ dataDir, settings: config.blobs, db: store.db, http, log: logInfo });
  const web = createHttp({
    userAgent: config.publicUrl === null ? USER_AGENT : `${USER_AGENT} (+${config.publicUrl})`,
    guard: createAddressGuard({ allowHosts: config.allowedHosts, allowHttp: true }),
    timeouts: { headersMs: 20_000, totalMs: 60_000 },
  });
  teardown.add('outgoing connections to the web', () => web.close());
  const identityProviders = createHttp({
    userAgent: USER_AGENT,
    guard: createAddressGuard({ allowHosts: config.allowedHosts }),
    timeouts: BROWSER_TIMEOUTS,
    connections: 8,
  });
  teardown.add('outgoing connections to identity providers', () => identityProviders.close());
  const gitHubHttp = createHttp({ userAgent: USER_AGENT, guard, timeouts: BROWSER_TIMEOUTS });
  teardown.add('outgoing connections for signing in with GitHub', () => gitHubHttp.close());
  const callQueues = openCallQueues();
  teardown.add('the queues of outgoing calls', async () => callQueues.close());

  const siteHosts = createSiteHosts(config.sitesUrl);
  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The log itself knows the current request, and a logger for each takes a twentieth of the time of a small answer.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: 'x-request-id',
    bodyLimit: BODY_BYTES,
    connectionTimeout: SILENT_MS,
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5_000 },
    ...httpOptions,
    rewriteUrl: siteHosts.rewriteUrl,
    trustProxy: ['loopback', ...config.trustedProxies],
    forceCloseConnections: 'idle',
  });
  const setAnswerFirst = answerFirst(fastify, settleHost);
  limitConnections(fastify.server, MAX_CONNECTIONS);
  closeUnreadRequests(fastify);
  closeUnusedConnections(fastify);
  teardown.add('the HTTP server', () => fastify.close());
  const queue = meters.measure(await openQueue(store, { worksOn: worksOn(config), log: logInfo }));
  // Closed before the HTTP server: running jobs still call the platform, which may be this server.
  teardown.add('the queue', () => queue.stop({ graceMs: jobGraceMs(role) }));
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;

  requireHttps(fastify, publicUrl);
  await compressAnswers(fastify);
  trackRequests(fastify);
  const mailer = openMailer({ db: store.db, queue, sealer, smtp: config.smtp });
  const accounts = openAccounts({ db: store.db, queue, mailer, publicUrl });
  const readiness = new Readiness();
  registerHealth(fastify, { store, blobs, dataDir, readiness });
  if (role === 'worker') serveOwnCalls(fastify);
  answerOutages(fastify);
  const model = config.model === null ? null : openModel(store.db, config.model);
  teardown.add('outgoing connections to the language model', async () => model?.close());
  const platform = {
    db: store.db,
    queue,
    mailer,
    git,
    blobs,
    sealer,
    guard,
    publicUrl,
    sitesUrl: config.sitesUrl,
    log,
    deriver: createDeriver(),
    translators: config.translators,
    model,
    refetch: (spaceId: string, lost: { readonly isFirst: boolean }) =>
      refetchSpace({ db: store.db, queue }, spaceId, lost),
    measured: meters.operation,
    onDiscussionChanged: watchDiscussions({ queue }),
    pageOrigins: createPageOrigins(),
  };
  await registerPlatform(fastify, platform);
  const statusNotices = openStatusNotices({ url: store.directUrl, log: logInfo });
  teardown.add('the notices of the status', () => statusNotices.close());
  const sessionStore = createSessionStore({ db: store.db, sealer });
  const readers = new ReaderSignIn(platform, siteHosts, openSiteReaders({ db: store.db, sealer }));
  if (config.platform === null && role !== 'worker') {
    const sessions = openSessions({ sessionStore, publicUrl });
    const replica =
      config.databaseReplicaUrl === null
        ? null
        : openReplica({
            url: config.databaseReplicaUrl,
            primary: store.db,
            log: logInfo,
            onRead: meters.replicaRead,
          });
    teardown.add('the read replica', async () => replica?.close());
    await registerSites(fastify, {
      platform,
      replica,
      hosts: siteHosts,
      answerFirst: setAnswerFirst,
      readers,
      isMember: async (request, site) => {
        const session = siteHosts.isRewritten(request.raw) ? null : await sessions.read(request);
        const owner =
          session === null
            ? await readers.find(request, site.organizationId)
            : await findBearer(store.db, session.token);
        return await maySeeSite(store.db, owner, site, originOf(request));
      },
    });
    const onError = (err: unknown) => log.warn({ err }, 'The hosts of sites could not be read.');
    teardown.add('the hosts of sites', await siteHosts.start(store.db, onError));
  }
  const clientFor = (token: string) =>
    createClient({
      baseUrl: config.platform?.url ?? listeningUrl(fastify),
      token,
      http,
      requestId: currentDelivery,
    });
  const pageClientFor = (token: string) =>
    config.platform !== null
      ? clientFor(token)
      : createPageClient({ baseUrl: listeningUrl(fastify), token, http }, platform.pageOrigins);
  const token = config.platform?.token ?? (await serviceToken(store.db, sealer));
  const client = deferClient(() => clientFor(token));
  const organizationId = () => chooseOrganization(config, client);
  const work = createAppWork({
    config,
    publicUrl,
    store,
    queue,
    client,
    ...(config.platform === null && {
      deleteSpace: (spaceId: string) => deleteOwnSpace(store.db, clientFor, spaceId),
      asAdministrator: (purpose, work) => asOwnAdministrator({ db: store.db, clientFor }, purpose, work),
    }),
    organizationId,
    git,
    callQueues,
    log,
    web,
    onResponse: meters.answered,
    onHostChange: appGuard.allowHost,
  });
  const slot = openAppSlot({
    db: store.db,
    sealer,
    log,
    environment: config.github,
    extraSecrets: config.webhookSecrets,
    publicUrl,
    hasPeople: config.platform === null ? () => accounts.hasPeople() : null,
    ...work,
  });
  const addressOfApp = () => slot.occupant()?.credentials ?? null;
  const gitHub = createGitHubSignIn({
    db: store.db,
    sealer,
    http: gitHubHttp,
    publicUrl,
    client: () => gitHubClientOf(config, slot.occupant()),
    canMail: accounts.canMail,
  });
  if (role !== 'worker')
    registerWebhookRoute(fastify, {
      secrets: () => slot.webhookSecrets(),
      newestSecrets: () => slot.newestWebhookSecrets(),
      db: store.db,
      queue,
      onResponse: (event, status) => meters.deliveries.add({ event, status }),
    });
  registerMetrics(fastify, {
    db: store.db,
    queue,
    meters,
    process: { role, queues: config.queues, isReady: () => readiness.isReady },
    rateLimits: () => slot.app()?.rateLimits() ?? [],
    modelTokensPerDay: model?.tokensPerDay ?? null,
    token: config.metricsToken,
  });
  if (role !== 'worker')
    await registerPages(fastify, {
      describeOutage: (error) => findOutage(error)?.message ?? null,
      recordAction: async (user, event) =>
        recordAction(store.db, config.platform === null ? await organizationId() : null, user, event),
      clientFor: pageClientFor,
      siteLooks: { renderSample: renderLookSample, findWeakColors },
      sealer,
      sessionStore,
      ...(config.platform === null && {
        invitations: openInvitations({ db: store.db, mailer, publicUrl }),
        accounts,
        saml: createSamlSignIn({ db: store.db, publicUrl }),
        gitHub,
        signInProviders: async (next: string) => (gitHub.isSet() ? [gitHubProvider(next)] : []),
        oidc: createOidcSignIn({ db: store.db, sealer, http: identityProviders, publicUrl }),
        providerLinks: openProviderLinks({ db: store.db }),
        siteReaders: readers,
        translationSegments: openTranslationSegments(platform, currentOrigin),
        ssoLogins: openSsoLogins({ db: store.db }),
      }),
      publicUrl,
      loadReport: (id) => readReport(store.db, id),
      loadScheduled: (spaceId) => loadScheduled({ db: store.db, queue, address: addressOfApp }, spaceId),
      loadSpaceRepository: (spaceId) => loadSpaceRepository({ db: store.db, address: addressOfApp }, spaceId),
      loadCarryingPulls: (spaceId, changeRequestId) =>
        loadCarryingPulls({ db: store.db, address: addressOfApp }, spaceId, changeRequestId),
      loadExpiringIgnores: createIgnoreReader(store.db),
      watchStatus: statusNotices.subscribe,
      loadConfigError: (spaceId) => findConfigError(store.db, spaceId),
      loadDisconnected: (spaceIds) => readDisconnected(store.db, spaceIds, config.retainDisconnectedDays),
      setup: createSetupPages({
        slot,
        db: store.db,
        sealer,
        callQueues,
        publicUrl,
        github: config.gitHubAddress,
        clientFor,
        organizationId,
        ownPlatform: config.platform === null,
      }),
      status: createStatusPages({
        db: store.db,
        pool: store.pool,
        queue,
        organizationId,
        retainDisconnectedDays: config.retainDisconnectedDays,
        maxWords: config.platform === null ? config.translators.maxWords : null,
        app: () => {
          const [app, occupant] = [slot.app(), slot.occupant()];
          return app && occupant && { app, address: occupant.credentials };
        },
      }),
      log,
    });
  await warm;
  await listen(fastify, config);
  // An import that a crash interrupted begins with the platform's jobs: the App's host is known by then.
  if (config.github === null)
    appGuard.beforeRefusal(async () => {
      const stored = await loadStoredApp(store.db, sealer).catch(() => null);
      if (stored !== null) appGuard.allowHost(stored.host);
    });
  await startPlatformJobs(platform);
  await mailer.start(mayHaveMail(store.db));
  await accounts.start();
  teardown.add('the GitHub App', () => slot.close());
  await slot.start();
  if (role !== 'web') {
    teardown.add('the checks of e-mail domains', startDomainChecks({ db: store.db, mailer, publicUrl }, log));
    teardown.add('the daily clean-up', startCleanup(store.db, blobs, log, config));
  }
  const url = listeningUrl(fastify);
  const key = await slot.setupKey();
  // The last step: a database that goes away from here on makes the process unready, and no longer ends it.
  readiness.start();
  log.info(
    { url, publicUrl, role, database: store.kind, app: slot.occupant()?.credentials.appId ?? null },
    'Docloom is listening.',
  );
  const address = config.publicUrl ?? url;
  return {
    url,
    publicUrl: address,
    setupUrl: key === null ? null : `${address}${setupAddress(key)}`,
    hasApp: slot.occupant() !== null,
    drainFirst: () => drain({ readiness, queue, role, seconds: config.drainSeconds }),
  };
}

/** Gets the client anew for each call: the platform may be this server, whose address is known only once it listens. */
function deferClient(current: () => PlatformClient): PlatformClient {
  return {
    call: (operation, input) => current().call(operation, input),
    callWithHeaders: (operation, input) => current().callWithHeaders(operation, input),
    stream: (operation, input) => current().stream(operation, input),
    paginate: (operation, input) => current().paginate(operation, input),
    download: (file, limits) => current().download(file, limits),
  };
}

/** The organization of new spaces: the configured one, or the first that the token can access. */
async function chooseOrganization(config: ServerConfig, client: PlatformClient): Promise<string> {
  if (config.organizationId !== null) return config.organizationId;
  for await (const { id } of client.paginate(operations.listOrganizations, { query: { limit: 1 } }))
    return id;
  throw new Error(
    'The platform has no organization that PLATFORM_TOKEN can access: create one there, or set PLATFORM_ORGANIZATION.',
  );
}

async function readReport(db: Database, id: string): Promise<LinkReport | ApiReport | null> {
  const report = (await loadReport(db, id))?.report;
  return isLinkReport(report) || isApiReport(report) ? report : null;
}

async function readDisconnected(
  db: Database,
  spaceIds: readonly string[],
  days: number | null,
): Promise<ReadonlyMap<string, Disconnection>> {
  return new Map(
    [...(await listDisconnected(db, spaceIds))].map(([spaceId, binding]) => [
      spaceId,
      { reason: binding.disconnected ?? '', removedAt: removalTime(binding, days)?.toISOString() ?? null },
    ]),
  );
}

/** Throws an error whose sentence says what is wrong with HOST or PORT. */
async function listen(fastify: FastifyInstance, { host, port }: ServerConfig): Promise<void> {
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    const problems: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use. Stop the program that uses it, or set PORT to another one (0 for any free one).`,
      EACCES: `This user may not listen on port ${port}. Set PORT to one from 1024 on.`,
      EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one of its own, or to 0.0.0.0 for all.`,
      ENOTFOUND: `The host name ${host} is unknown. Set HOST to an address of this machine, or to 0.0.0.0 for all.`,
    };
    const problem = problems[(error as NodeJS.ErrnoException).code ?? ''];
    throw problem ? new Error(problem) : error;
  }
}

function listeningUrl(fastify: FastifyInstance): string {
  const address = fastify.server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The HTTP server is not listening yet.');
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const host =
    everywhere[address.address] ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address);
  return `http://${host}:${address.port}`;
}

/** Answers failures of routes that have no error handler of their own, such as the metrics. */
function answerOutages(fastify: FastifyInstance): void {
  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: { code: status, message: error.message } });
    request.log.error({ err: error }, 'request failed');
    const outage = findOutage(error);
    if (outage !== null) {
      reply.header('retry-after', '5');
      return reply.code(503).send({ error: { code: 503, message: outage.message } });
    }
    const message = `An internal error occurred; the server’s log says more under ${request.id}.`;
    return reply.code(500).send({ error: { code: 500, message } });
  });
}
