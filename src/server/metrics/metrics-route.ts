import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countContent, type RateLimit } from '../../github/index.ts';
import type { Queue, RateLimitState } from '../../queue/index.ts';
import {
  countAllExternal,
  countBindingProblems,
  countExports,
  countLostBytes,
  countRecentDeliveries,
  countRepositories,
  currentRelease,
  type Database,
  loadModelUsageByPurpose,
  measureSpaces,
} from '../../store/index.ts';
import { isOwnCall } from '../is-own-call.ts';
import { isSameSecret } from '../is-same-secret.ts';
import type { ProcessRole } from '../roles.ts';
import { CONTENT_TYPE, type Metric, writeMetrics } from './exposition.ts';
import type { ProcessMeters } from './process-meters.ts';

export interface MetricsParts {
  /** What this process is. */
  readonly process: {
    readonly role: ProcessRole;
    readonly queues: readonly string[];
    readonly isReady: () => boolean;
  };
  readonly db: Database;
  readonly queue: Queue;
  readonly meters: ProcessMeters;
  readonly rateLimits: () => readonly RateLimit[];
  /** The most tokens of the language model for a day; null without a model. */
  readonly modelTokensPerDay: number | null;
  /** METRICS_TOKEN; without it only this machine may read the metrics. */
  readonly token: string | null;
}

/** Every space is a series; a server with more reports those with the most broken links. */
const MAX_SPACES = 2_000;
/** There is one for each host that pages link to; those with the most jobs are reported. */
const MAX_RATE_LIMITS = 200;

/** `GET /metrics` for Prometheus: with the token, or if none is set, from this machine. */
export function registerMetrics(fastify: FastifyInstance, parts: MetricsParts): void {
  fastify.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!mayRead(request, parts.token)) {
      return reply
        .code(parts.token === null ? 403 : 401)
        .type('text/plain; charset=utf-8')
        .send(
          parts.token === null
            ? 'Metrics are available from this machine only; set METRICS_TOKEN to read them from elsewhere.\n'
            : 'Send METRICS_TOKEN: Authorization: Bearer …\n',
        );
    }
    return reply.type(CONTENT_TYPE).send(writeMetrics(await collect(parts)));
  });
}

/** A proxy on this machine may forward requests of other machines, which its headers show. */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token === null) return isOwnCall(request);
  const received = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return isSameSecret(received, token);
}

async function collect({
  db,
  queue,
  meters,
  rateLimits,
  modelTokensPerDay,
  process: own,
}: MetricsParts): Promise<readonly Metric[]> {
  const [jobs, deliveries, spaces, repositories, troubles, groups, outside, exports, content, used, lost] =
    await Promise.all([
      queue.counts(),
      countRecentDeliveries(db),
      measureSpaces(db, MAX_SPACES),
      countRepositories(db),
      countBindingProblems(db),
      queue.rateLimits(),
      countAllExternal(db),
      countExports(db),
      countContent(db),
      loadModelUsageByPurpose(db, null),
      countLostBytes(db),
    ]);
  const busiest = groups
    .toSorted((a, b) => b.waiting + b.running - a.waiting - a.running)
    .slice(0, MAX_RATE_LIMITS);
  const rateLimitGauge = (name: string, help: string, read: (group: RateLimitState) => number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: busiest.map((group) => ({ labels: { group: group.key }, value: read(group) })),
  });
  const now = Date.now();
  const limits = rateLimits().map((limit) => ({
    ...limit,
    labels: { installation: limit.installationId ?? 'app' },
  }));
  const ofSpaces = (name: string, help: string, field: 'pages' | 'links' | 'broken'): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: spaces.map((space) => ({
      labels: { space: space.id, title: space.title },
      value: space[field],
    })),
  });
  return [
    {
      name: 'docloom_process_info',
      help: 'The role, the queues and the release of this process; always 1.',
      type: 'gauge',
      samples: [
        { labels: { role: own.role, queues: listQueues(own), release: currentRelease.release }, value: 1 },
      ],
    },
    gauge(
      'docloom_ready',
      'Whether this process takes requests: 1, or 0 while it starts or stops.',
      Number(own.isReady()),
    ),
    gauge('docloom_repositories', 'Repositories that reach this server.', repositories),
    gauge('docloom_spaces_failing', 'Bound spaces whose last sync failed.', troubles.failing),
    gauge('docloom_spaces_disconnected', 'Bound spaces that pushes no longer reach.', troubles.disconnected),
    ofSpaces('docloom_space_pages', 'Pages that are live, by space.', 'pages'),
    ofSpaces('docloom_space_links', 'Links in what is live, by space.', 'links'),
    ofSpaces('docloom_space_broken_links', 'Broken links in what is live, by space.', 'broken'),
    {
      name: 'docloom_lost_blobs',
      help: 'Files and pages of spaces whose bytes are lost: due to be fetched again, or gone from their repository.',
      type: 'gauge',
      samples: Object.entries(lost).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'docloom_deliveries',
      help: 'Webhook deliveries of the last day by event and state.',
      type: 'gauge',
      samples: deliveries.map(({ event, state, count }) => ({ labels: { event, state }, value: count })),
    },
    {
      name: 'docloom_jobs',
      help: 'Jobs that wait, run or failed, by queue and state.',
      type: 'gauge',
      samples: jobs.flatMap(({ name, ...states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { queue: name, state }, value })),
      ),
    },
    rateLimitGauge(
      'docloom_rate_limit_waiting',
      'Jobs that wait, by rate-limit group.',
      ({ waiting }) => waiting,
    ),
    rateLimitGauge(
      'docloom_rate_limit_running',
      'Jobs that run, by rate-limit group.',
      ({ running }) => running,
    ),
    rateLimitGauge(
      'docloom_rate_limit_paused_seconds',
      'For how long a rate-limit group is still paused.',
      ({ pausedUntil }) => Math.max(0, ((pausedUntil?.getTime() ?? now) - now) / 1000),
    ),
    {
      name: 'docloom_links_outside',
      help: 'External addresses that pages link to, by state.',
      type: 'gauge',
      samples: [...outside].map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'docloom_exports',
      help: 'Bound spaces by the outcome of their last export.',
      type: 'gauge',
      samples: [...exports].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: 'docloom_github_rate_limit_remaining',
      help: 'What is left of the hourly limit of GitHub, as this process last saw it.',
      type: 'gauge',
      samples: limits.map(({ labels, remaining }) => ({ labels, value: remaining })),
    },
    {
      name: 'docloom_github_rate_limit',
      help: 'The hourly limit of GitHub.',
      type: 'gauge',
      samples: limits.map(({ labels, limit }) => ({ labels, value: limit })),
    },
    {
      name: 'docloom_github_content_calls',
      help: 'Pull requests, reviews, issues, commits and branches created in the last hour; GitHub accepts 500.',
      type: 'gauge',
      samples: content.map(({ installationId, count }) => ({
        labels: { installation: installationId },
        value: count,
      })),
    },
    {
      name: 'docloom_model_tokens',
      help: 'Tokens of the language model that were used today in UTC, by purpose.',
      type: 'gauge',
      samples: Object.entries(used).map(([purpose, { tokens }]) => ({ labels: { purpose }, value: tokens })),
    },
    {
      name: 'docloom_model_calls',
      help: 'Requests for the language model today in UTC, by purpose.',
      type: 'gauge',
      samples: Object.entries(used).map(([purpose, { calls }]) => ({ labels: { purpose }, value: calls })),
    },
    {
      name: 'docloom_model_tokens_limit',
      help: 'Tokens that the language model may use per day; nothing without a model.',
      type: 'gauge',
      samples: modelTokensPerDay === null ? [] : [{ value: modelTokensPerDay }],
    },
    ...meters.collect(),
    gauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When this process started.', Date.now() / 1000 - process.uptime()),
  ];
}

function listQueues({ role, queues }: MetricsParts['process']): string {
  if (role === 'web') return 'none';
  return queues.length === 0 ? 'all' : queues.join(',');
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] };
}
