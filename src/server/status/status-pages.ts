import type pg from 'pg';
import {
  enqueueLook,
  type GitHubAddress,
  type GitHubApp,
  listDeliveryJobs,
  webAddress,
} from '../../github/index.ts';
import { type ListedJob, listJobsAbout, type Queue } from '../../queue/index.ts';
import type { Binding } from '../../store/bindings.ts';
import { type ExportRow, loadExports } from '../../store/exports.ts';
import { countExternalOf } from '../../store/external-links.ts';
import type { Database } from '../../store/index.ts';
import {
  listRepositoryStatus,
  loadRepositoryStatus,
  type RepositoryStatus,
} from '../../store/repository-status.ts';
import { exportJob, gatherJob } from '../../sync/index.ts';
import type { StatusJob, StatusPages, StatusRepository } from '../../web/index.ts';
import { listWork } from './list-work.ts';
import { fillCounts, tellExported } from './scheduled.ts';

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
    const bindingIds = statuses.flatMap(({ bindings }) => bindings.map(({ id }) => id));
    const [jobs, exports, outside, schedules] = await Promise.all([
      listWorkOf(pool, statuses),
      loadExports(db, bindingIds),
      countExternalOf(db, bindingIds),
      queue.schedules(gatherJob),
    ]);
    const next = new Map(schedules.map((one) => [one.key, one.next]));
    return statuses.map((status) =>
      describe(parts, status, {
        jobs: jobs.get(status.repository.id) ?? [],
        exports,
        outside,
        next: next.get(String(status.repository.id)) ?? null,
      }),
    );
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
    work: () => listWork(db, queue),
    retryAny: (jobId) => queue.retry(jobId),
    async retry(repositoryId, jobId) {
      const status = await loadRepositoryStatus(db, repositoryId);
      const jobs = (status && (await listWorkOf(pool, [status])).get(repositoryId)) ?? [];
      return jobs.some(({ id, state }) => id === jobId && state === 'failed') && (await queue.retry(jobId));
    },
  };
}

/** What is known of a repository beside its row. */
interface Facts {
  readonly jobs: readonly StatusJob[];
  readonly exports: ReadonlyMap<string, ExportRow>;
  readonly outside: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** When its links outside are gathered next. */
  readonly next: Date | null;
}

function describe(
  { app }: StatusPagesParts,
  { repository, bindings, lastDelivery }: RepositoryStatus,
  { jobs, exports, outside, next }: Facts,
): StatusRepository {
  const served = app();
  const limit = served?.app
    .rateLimits()
    .find(({ installationId }) => installationId === repository.installationId);
  const tellLast = (binding: Binding, row: ExportRow | undefined) =>
    row === undefined ? null : tellExported(binding, row, served?.address ?? null);
  const tellOutside = (counts: ReadonlyMap<string, number> | undefined) =>
    counts === undefined ? null : fillCounts(counts);
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
      exported: tellLast(one, exports.get(one.id)),
      linksOutside: tellOutside(outside.get(one.id)),
    })),
    lastDelivery: lastDelivery && {
      id: lastDelivery.id,
      event:
        lastDelivery.action === null ? lastDelivery.event : `${lastDelivery.event}.${lastDelivery.action}`,
      state: lastDelivery.state,
      error: lastDelivery.error,
      at: lastDelivery.receivedAt.toISOString(),
    },
    linksOutsideNext: next?.toISOString() ?? null,
    jobs,
    rateLimit:
      limit === undefined
        ? null
        : { limit: limit.limit, remaining: limit.remaining, resetsAt: limit.resetsAt.toISOString() },
  };
}

/** What has not ended well of the repositories' branches, pull requests, exports and links outside. */
async function listWorkOf(
  pool: pg.Pool,
  statuses: readonly RepositoryStatus[],
): Promise<ReadonlyMap<number, readonly StatusJob[]>> {
  const ids = statuses.map(({ repository }) => repository.id);
  const bindings = new Map(statuses.flatMap((one) => one.bindings.map((binding) => [binding.id, binding])));
  const [deliveries, exports, gatherings] = await Promise.all([
    listDeliveryJobs(pool, ids),
    listJobsAbout(pool, exportJob.name, 'bindingId', [...bindings.keys()]),
    listJobsAbout(pool, gatherJob.name, 'repositoryId', ids),
  ]);
  const bindingOf = ({ payload }: ListedJob) =>
    bindings.get((payload as { readonly bindingId: string }).bindingId);
  return new Map(
    ids.map((id) => [
      id,
      [
        ...(deliveries.get(id) ?? []).map((job) => presentJob(job, readSubject(job))),
        ...exports
          .filter((job) => bindingOf(job)?.repositoryId === id)
          .map((job) => presentJob(job, `export/${bindingOf(job)?.title}`)),
        ...gatherings
          .filter(({ payload }) => (payload as { readonly repositoryId: number }).repositoryId === id)
          .map((job) => presentJob(job, 'links-outside')),
      ],
    ]),
  );
}

function readSubject({ payload }: ListedJob): string {
  const { subject } = (payload ?? {}) as { readonly subject?: unknown };
  return typeof subject === 'string' ? subject : '';
}

function presentJob({ id, state, attempt, error, at }: ListedJob, subject: string): StatusJob {
  return { id, subject, state, attempt, error, at: at.toISOString() };
}
