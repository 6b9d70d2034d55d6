import type pg from 'pg';
import {
  enqueueLook,
  type GitHubAddress,
  type GitHubApp,
  listDeliveryJobs,
  webAddress,
} from '../../github/index.ts';
import type { ListedJob, Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import {
  listRepositoryStatus,
  loadRepositoryStatus,
  type RepositoryStatus,
} from '../../store/repository-status.ts';
import type { StatusJob, StatusPages, StatusRepository } from '../../web/index.ts';

const PER_PAGE = 25;

export interface StatusPagesParts {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly queue: Queue;
  /** The App that is served now, and where it lives; null while there is none. */
  readonly app: () => { readonly app: GitHubApp; readonly address: GitHubAddress } | null;
}

/** What is live, runs and failed, per repository and space, for the pages. */
export function createStatusPages(parts: StatusPagesParts): StatusPages {
  const { db, pool, queue } = parts;

  async function present(statuses: readonly RepositoryStatus[]): Promise<readonly StatusRepository[]> {
    const jobs = await listDeliveryJobs(
      pool,
      statuses.map(({ repository }) => repository.id),
    );
    return statuses.map((status) => describe(parts, status, jobs.get(status.repository.id) ?? []));
  }

  return {
    async list(after) {
      const found = await listRepositoryStatus(db, { after, limit: PER_PAGE + 1 });
      const shown = found.slice(0, PER_PAGE);
      return {
        repositories: await present(shown),
        next: found.length > PER_PAGE ? (shown.at(-1)?.repository.fullName ?? null) : null,
      };
    },
    async find(repositoryId) {
      const status = await loadRepositoryStatus(db, repositoryId);
      return status === null ? null : ((await present([status]))[0] ?? null);
    },
    async sync(repositoryId) {
      const status = await loadRepositoryStatus(db, repositoryId);
      if (status === null) return;
      const { repository, bindings } = status;
      const branches = new Set([repository.defaultBranch, ...bindings.map(({ branch }) => branch)]);
      await db.transaction(async (tx) => {
        for (const branch of branches) {
          await enqueueLook(
            { db: tx, queue },
            {
              installationId: repository.installationId,
              repositoryId,
              fullName: repository.fullName,
              subject: `refs/heads/${branch}`,
            },
          );
        }
      });
    },
    async retry(repositoryId, jobId) {
      const jobs = (await listDeliveryJobs(pool, [repositoryId])).get(repositoryId) ?? [];
      return jobs.some(({ id, state }) => id === jobId && state === 'failed') && (await queue.retry(jobId));
    },
  };
}

function describe(
  { app }: StatusPagesParts,
  { repository, bindings, lastDelivery }: RepositoryStatus,
  jobs: readonly ListedJob[],
): StatusRepository {
  const served = app();
  const limit = served?.app
    .rateLimits()
    .find(({ installationId }) => installationId === repository.installationId);
  const web = webAddress(served?.address ?? { host: null, protocol: 'https' });
  return {
    id: repository.id,
    name: repository.fullName,
    url: `${web}/${repository.fullName}`,
    defaultBranch: repository.defaultBranch,
    disconnected: repository.disconnected,
    configError: repository.configError,
    bindings: bindings.map((one) => ({
      title: one.title,
      branch: one.branch,
      directory: one.directory,
      spaceId: one.spaceId,
      liveOid: one.liveOid,
      error: one.lastError,
      disconnected: one.disconnected,
      importing: one.pendingOids.length > 0,
      updatedAt: one.updatedAt.toISOString(),
    })),
    lastDelivery: lastDelivery && {
      id: lastDelivery.id,
      event:
        lastDelivery.action === null ? lastDelivery.event : `${lastDelivery.event}.${lastDelivery.action}`,
      state: lastDelivery.state,
      error: lastDelivery.error,
      at: lastDelivery.receivedAt.toISOString(),
    },
    jobs: jobs.map(presentJob),
    rateLimit:
      limit === undefined
        ? null
        : { limit: limit.limit, remaining: limit.remaining, resetsAt: limit.resetsAt.toISOString() },
  };
}

function presentJob({ id, payload, state, attempt, error, at }: ListedJob): StatusJob {
  const { subject } = (payload ?? {}) as { readonly subject?: unknown };
  return {
    id,
    subject: typeof subject === 'string' ? subject : '',
    state,
    attempt,
    error,
    at: at.toISOString(),
  };
}
