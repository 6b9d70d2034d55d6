import type { FastifyInstance } from 'fastify';
import { findBearer, type SessionStore } from '../identity/index.ts';
import { maySeeSite, type PlatformDeps } from '../platform/index.ts';
import { type AnswerFirst, type ReaderSignIn, registerSites, type SiteHosts } from '../sites/index.ts';
import { openReplica, type Store } from '../store/index.ts';
import { openSessions, originOf } from '../web/index.ts';
import type { ServerConfig } from './config/index.ts';
import type { Logger } from './log.ts';
import type { ProcessMeters } from './metrics/process-meters.ts';
import type { Teardown } from './teardown.ts';

interface ServedSitesParts {
  readonly config: Pick<ServerConfig, 'databaseReplicaUrl'>;
  readonly store: Store;
  readonly platform: PlatformDeps;
  readonly siteHosts: SiteHosts;
  readonly setAnswerFirst: (first: AnswerFirst) => void;
  readonly sessionStore: SessionStore;
  readonly readers: ReaderSignIn;
  readonly meters: ProcessMeters;
  readonly log: Logger;
  readonly teardown: Teardown;
}

/** Serves the published sites of this process's own platform, from the read replica where there is one. */
export async function serveSites(
  fastify: FastifyInstance,
  {
    config,
    store,
    platform,
    siteHosts,
    setAnswerFirst,
    sessionStore,
    readers,
    meters,
    log,
    teardown,
  }: ServedSitesParts,
): Promise<void> {
  const sessions = openSessions({ sessionStore, publicUrl: platform.publicUrl });
  const replica =
    config.databaseReplicaUrl === null
      ? null
      : openReplica({
          url: config.databaseReplicaUrl,
          primary: store.db,
          log: (line, fields) => log.info(fields ?? {}, line),
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
