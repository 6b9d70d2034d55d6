import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { httpOptions } from '../platform/index.ts';
import type { AnswerFirst, SiteHosts } from '../sites/index.ts';
import { answerFirst } from './answer-first.ts';
import { closeUnreadRequests } from './close-unread-requests.ts';
import { closeUnusedConnections } from './close-unused-connections.ts';
import type { ServerConfig } from './config/index.ts';
import { limitConnections } from './limit-connections.ts';
import type { Logger } from './log.ts';
import { settleHost } from './settle-host.ts';
import type { Teardown } from './teardown.ts';

/** How long a request may take to arrive, with its body; the largest bodies are API specifications of 30 MB. */
const REQUEST_MS = 120_000;
const HEADERS_MS = 20_000;

/** How long a connection may stay silent, also while a response waits to be read. */
const SILENT_MS = 300_000;
const MAX_CONNECTIONS = 1_000;

/** For routes that set no limit of their own, and addresses that do not exist. */
const BODY_BYTES = 16 * 1024;

/** Opens the HTTP server with its limits, before it has any route, and before it listens. */
export function openHttpServer({
  config,
  siteHosts,
  log,
  teardown,
}: {
  readonly config: Pick<ServerConfig, 'trustedProxies'>;
  readonly siteHosts: SiteHosts;
  readonly log: Logger;
  readonly teardown: Teardown;
}): {
  readonly fastify: FastifyInstance;
  /** Sets who is asked for an answer before the framework, see {@link answerFirst}. */
  readonly setAnswerFirst: (first: AnswerFirst) => void;
} {
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
  return { fastify, setAnswerFirst };
}
