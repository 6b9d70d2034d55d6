import type { FastifyInstance } from 'fastify';
import { type ApiReport, isApiReport, isLinkReport, type LinkReport } from '../content/report/index.ts';
import { removalTime } from '../github/index.ts';
import {
  type Accounts,
  createOidcSignIn,
  createSamlSignIn,
  type GitHubSignIn,
  openInvitations,
  openProviderLinks,
  openSsoLogins,
  type SessionStore,
} from '../identity/index.ts';
import type { Http } from '../net/index.ts';
import { openTranslationSegments, type PlatformDeps } from '../platform/index.ts';
import type { CallQueues } from '../queue/index.ts';
import { findWeakColors, type ReaderSignIn, renderLookSample } from '../sites/index.ts';
import {
  type Database,
  findConfigError,
  findOutage,
  listDisconnected,
  loadReport,
  type StatusNotices,
  type Store,
} from '../store/index.ts';
import { type Disconnection, gitHubProvider, registerPages } from '../web/index.ts';
import type { ServerConfig } from './config/index.ts';
import { currentOrigin } from './current-request.ts';
import type { Logger } from './log.ts';
import type { PlatformClients } from './platform-clients.ts';
import { recordAction } from './record-action.ts';
import type { AppSlot } from './setup/app-slot.ts';
import { createSetupPages } from './setup/setup-pages.ts';
import { createIgnoreReader } from './status/expiring-ignores.ts';
import { loadScheduled } from './status/load-scheduled.ts';
import { loadCarryingPulls, loadSpaceRepository } from './status/load-space-repository.ts';
import { createStatusPages } from './status/status-pages.ts';

interface ServedPagesParts {
  readonly config: ServerConfig;
  readonly store: Store;
  readonly platform: PlatformDeps;
  readonly sessionStore: SessionStore;
  readonly accounts: Accounts;
  readonly gitHub: GitHubSignIn;
  readonly identityProviders: Http;
  readonly readers: ReaderSignIn;
  readonly statusNotices: StatusNotices;
  readonly callQueues: CallQueues;
  readonly slot: AppSlot;
  readonly clients: PlatformClients;
  readonly log: Logger;
}

/** Serves the pages for people: the dashboard, reports, the status, set-up, and sign-in where the platform is this server. */
export async function servePages(fastify: FastifyInstance, parts: ServedPagesParts): Promise<void> {
  const { config, store, sessionStore, accounts, gitHub, readers, statusNotices, callQueues, slot, log } =
    parts;
  const { queue, mailer, sealer, publicUrl } = parts.platform;
  const { clientFor, pageClientFor, organizationId } = parts.clients;
  const { db } = store;
  const addressOfApp = () => slot.occupant()?.credentials ?? null;
  await registerPages(fastify, {
    describeOutage: (error) => findOutage(error)?.message ?? null,
    recordAction: async (user, event) =>
      recordAction(db, config.platform === null ? await organizationId() : null, user, event),
    clientFor: pageClientFor,
    siteLooks: { renderSample: renderLookSample, findWeakColors },
    sealer,
    sessionStore,
    ...(config.platform === null && {
      invitations: openInvitations({ db, mailer, publicUrl }),
      accounts,
      saml: createSamlSignIn({ db, publicUrl }),
      gitHub,
      signInProviders: async (next: string) => (gitHub.isSet() ? [gitHubProvider(next)] : []),
      oidc: createOidcSignIn({ db, sealer, http: parts.identityProviders, publicUrl }),
      providerLinks: openProviderLinks({ db }),
      siteReaders: readers,
      translationSegments: openTranslationSegments(parts.platform, currentOrigin),
      ssoLogins: openSsoLogins({ db }),
    }),
    publicUrl,
    loadReport: (id) => readReport(db, id),
    loadScheduled: (spaceId) => loadScheduled({ db, queue, address: addressOfApp }, spaceId),
    loadSpaceRepository: (spaceId) => loadSpaceRepository({ db, address: addressOfApp }, spaceId),
    loadCarryingPulls: (spaceId, changeRequestId) =>
      loadCarryingPulls({ db, address: addressOfApp }, spaceId, changeRequestId),
    loadExpiringIgnores: createIgnoreReader(db),
    watchStatus: statusNotices.subscribe,
    loadConfigError: (spaceId) => findConfigError(db, spaceId),
    loadDisconnected: (spaceIds) => readDisconnected(db, spaceIds, config.retainDisconnectedDays),
    setup: createSetupPages({
      slot,
      db,
      sealer,
      callQueues,
      publicUrl,
      github: config.gitHubAddress,
      clientFor,
      organizationId,
      ownPlatform: config.platform === null,
    }),
    status: createStatusPages({
      db,
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
