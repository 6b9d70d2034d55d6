/** Composes the process: the store, the queue, the platform, the App and the pages, with one HTTP server. */
import { join } from 'node:path';
import { openRepositoryCache } from '../git/index.ts';
import { registerWebhookRoute } from '../github/index.ts';
import {
  createGitHubSignIn,
  createSessionStore,
  openAccounts,
  openMailer,
  openSiteReaders,
} from '../identity/index.ts';
import { createHttp, useProxies } from '../net/index.ts';
import {
  createDeriver,
  createPageOrigins,
  mayHaveMail,
  openModel,
  registerPlatform,
  startPlatformJobs,
} from '../platform/index.ts';
import { openCallQueues, openQueue } from '../queue/index.ts';
import { createSiteHosts, ReaderSignIn } from '../sites/index.ts';
import {
  DATA_FOLDERS,
  findOutage,
  openBlobs,
  openSealer,
  openStatusNotices,
  openStore,
  requireSameKey,
} from '../store/index.ts';
import { watchDiscussions } from '../sync/index.ts';
import { contentThreads, warmUp } from '../threads/index.ts';
import { answerOutages } from './answer-outages.ts';
import { openAppGuard } from './app-guard.ts';
import { createAppWork } from './app-work.ts';
import { asOwnAdministrator } from './as-administrator.ts';
import { compressAnswers } from './compress-answers.ts';
import type { ServerConfig } from './config/index.ts';
import { trackRequests } from './current-request.ts';
import { deleteOwnSpace } from './delete-space.ts';
import { drain, jobGraceMs } from './drain.ts';
import { Readiness, registerHealth } from './health.ts';
import { listen, listeningUrl } from './listen.ts';
import type { Logger } from './log.ts';
import { registerMetrics } from './metrics/metrics-route.ts';
import { openProcessMeters } from './metrics/process-meters.ts';
import { openHttpServer } from './open-http-server.ts';
import { openOutwardHttp, USER_AGENT } from './outward-http.ts';
import { openPlatformClients } from './platform-clients.ts';
import { refetchSpace } from './refetch-space.ts';
import { requireHttps } from './require-https.ts';
import { worksOn } from './roles.ts';
import { serveOwnCalls } from './serve-own-calls.ts';
import { servePages } from './serve-pages.ts';
import { serveSites } from './serve-sites.ts';
import { openAppSlot } from './setup/app-slot.ts';
import { gitHubClientOf } from './setup/github-client.ts';
import { setupAddress } from './setup/setup-key.ts';
import { loadStoredApp } from './setup/stored-app.ts';
import { startCleanup } from './start-cleanup.ts';
import { startDomainChecks } from './start-domain-checks.ts';
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

/** As long as a standby takes to become the primary. */
const DATABASE_PATIENCE_MS = 60_000;

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
  const outward = openOutwardHttp(config, guard, teardown);
  const callQueues = openCallQueues();
  teardown.add('the queues of outgoing calls', async () => callQueues.close());

  const siteHosts = createSiteHosts(config.sitesUrl);
  const { fastify, setAnswerFirst } = openHttpServer({ config, siteHosts, log, teardown });
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
    const parts = { config, store, platform, siteHosts, setAnswerFirst, sessionStore, readers, meters };
    await serveSites(fastify, { ...parts, log, teardown });
  }
  const clients = await openPlatformClients({
    config,
    db: store.db,
    sealer,
    fastify,
    http,
    pageOrigins: platform.pageOrigins,
  });
  const { clientFor, client, organizationId } = clients;
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
    web: outward.web,
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
  const gitHub = createGitHubSignIn({
    db: store.db,
    sealer,
    http: outward.gitHub,
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
    await servePages(fastify, {
      config,
      store,
      platform,
      sessionStore,
      accounts,
      gitHub,
      identityProviders: outward.identityProviders,
      readers,
      statusNotices,
      callQueues,
      slot,
      clients,
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
