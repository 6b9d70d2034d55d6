import type pg from 'pg';
import type { Static, TSchema } from 'typebox';
import { parseConfig } from '../../config/index.ts';
import {
  enqueueRecheck,
  type GitHubAddress,
  type GitHubApp,
  listDeliveryJobs,
  removalTime,
  webAddress,
} from '../../github/index.ts';
import { type JobDefinition, type ListedJob, listJobsAbout } from '../../queue/index.ts';
import {
  type Binding,
  countExternalOf,
  type ExportRow,
  findBindingOfSpace,
  listConversationsErrors,
  listMirrorErrors,
  listRepositoryStatus,
  loadExports,
  loadRepositoryStatus,
  type RepositoryKey,
  type RepositoryStatus,
} from '../../store/index.ts';
import {
  conversationSyncJob,
  exportJob,
  gatherJob,
  mirrorJob,
  specJob,
  translateJob,
  writeScheduleKey,
} from '../../sync/index.ts';
import type { StatusJob, StatusPages, StatusRepository, StatusSubject } from '../../web/index.ts';
import { listWork } from './list-work.ts';
import { type ConfiguredParts, type ConfiguredStatus, loadConfigured } from './load-configured.ts';
import { fillCounts, presentExport } from './load-scheduled.ts';

const PER_PAGE = 25;

export interface StatusPagesParts extends ConfiguredParts {
  readonly pool: pg.Pool;
  /** How long spaces that pushes no longer reach are retained; null for ever. */
  readonly retainDisconnectedDays: number | null;
  /** The current App, and its GitHub; null while there is none. */
  readonly app: () => { readonly app: GitHubApp; readonly address: GitHubAddress } | null;
}

/** Implements the status page's operations: what is live, running and failed, per repository and space. */
export function createStatusPages(parts: StatusPagesParts): StatusPages {
  const { db, pool, queue } = parts;

  async function present(statuses: readonly RepositoryStatus[]): Promise<readonly StatusRepository[]> {
    const bindingIds = statuses.flatMap(({ bindings }) => bindings.map(({ id }) => id));
    const [jobs, exports, externalLinks, schedules, configured, conversationsErrors, mirrorErrors] =
      await Promise.all([
        listWorkOf(pool, statuses),
        loadExports(db, bindingIds),
        countExternalOf(db, bindingIds),
        queue.schedules(gatherJob),
        loadConfigured(
          parts,
          statuses.map(({ repository }) => repository),
        ),
        listConversationsErrors(db),
        listMirrorErrors(db),
      ]);
    const next = new Map(schedules.map((schedule) => [schedule.key, schedule.next]));
    return statuses.map((status) =>
      describe(parts, status, {
        jobs: jobs.get(status.repository.id) ?? [],
        exports,
        externalLinks,
        next:
          next.get(writeScheduleKey({ kind: 'external-links', repositoryId: status.repository.id })) ?? null,
        conversationsError: conversationsErrors.get(status.repository.id) ?? null,
        mirrorError: mirrorErrors.get(status.repository.id) ?? null,
        configured: configured.get(status.repository.id) ?? { specifications: [], translations: [] },
      }),
    );
  }

  async function sync(repositoryId: number): Promise<void> {
    const status = await loadRepositoryStatus(db, repositoryId);
    if (status === null) return;
    const { repository, bindings } = status;
    const branches = new Set([repository.defaultBranch, ...bindings.map(({ branch }) => branch)]);
    await db.transaction(async (tx) => {
      for (const branch of branches) {
        await enqueueRecheck(
          { db: tx, queue },
          {
            installationId: repository.installationId,
            repositoryId,
            fullName: repository.fullName,
            kind: 'branch',
            branch,
          },
        );
      }
    });
  }

  return {
    async list(after, find) {
      const key = after === null ? null : readKey(after);
      const found = await listRepositoryStatus(db, { after: key, find, limit: PER_PAGE + 1 });
      const shown = found.slice(0, PER_PAGE);
      const last = found.length > PER_PAGE ? shown.at(-1) : undefined;
      return {
        repositories: await present(shown),
        next: last === undefined ? null : writeKey(last.repository),
      };
    },
    async find(repositoryId) {
      const status = await loadRepositoryStatus(db, repositoryId);
      return status === null ? null : ((await present([status]))[0] ?? null);
    },
    sync,
    async syncSpace(spaceId) {
      const binding = await findBindingOfSpace(db, spaceId);
      if (binding === null || binding.disconnected !== null) return false;
      await sync(binding.repositoryId);
      return true;
    },
    async readSpecification(repositoryId, name) {
      const status = await loadRepositoryStatus(db, repositoryId);
      const parsed = parseConfig(status?.repository.configText ?? '');
      const entry = 'problems' in parsed ? null : parsed.config.openapi.find((spec) => spec.name === name);
      if (status === null || !entry) return;
      const { installationId } = status.repository;
      const payload = { repositoryId, installationId, ...(entry.url !== undefined && { name }) };
      await queue.enqueue(db, specJob, payload, { unlessWaiting: true, retriesNow: true });
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

/** `owner/name id`: a process of another release that reads it as a name continues at the same place. */
function writeKey({ fullName, id }: RepositoryKey): string {
  return `${fullName} ${id}`;
}

/** Without an id, as releases before 0.2.0 write it, it comes after all repositories of this name. */
function readKey(text: string): RepositoryKey {
  const [, fullName = text, id] = /^(.*) (\d{1,15})$/s.exec(text) ?? [];
  return { fullName, id: id === undefined ? Number.MAX_SAFE_INTEGER : Number(id) };
}

/** What is loaded of a repository besides its row. */
interface Facts {
  readonly jobs: readonly StatusJob[];
  readonly exports: ReadonlyMap<string, ExportRow>;
  /** The number of external links in each state, by binding. */
  readonly externalLinks: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** When its external links are collected next. */
  readonly next: Date | null;
  readonly conversationsError: string | null;
  readonly mirrorError: string | null;
  readonly configured: ConfiguredStatus;
}

function describe(
  { app, retainDisconnectedDays }: StatusPagesParts,
  { repository, bindings, lastDelivery }: RepositoryStatus,
  { jobs, exports, externalLinks, next, conversationsError, mirrorError, configured }: Facts,
): StatusRepository {
  const current = app();
  const limit = current?.app
    .rateLimits()
    .find(({ installationId }) => installationId === repository.installationId);
  const presentLast = (binding: Binding, row: ExportRow | undefined) =>
    row === undefined ? null : presentExport(binding, row, current?.address ?? null);
  const presentCounts = (counts: ReadonlyMap<string, number> | undefined) =>
    counts === undefined ? null : fillCounts(counts);
  const web = webAddress(current?.address ?? { host: null, protocol: 'https' });
  return {
    id: repository.id,
    name: repository.fullName,
    url: `${web}/${repository.fullName}`,
    defaultBranch: repository.defaultBranch,
    disconnected: repository.disconnected,
    configError: repository.configError,
    conversationsError,
    mirrorError,
    bindings: bindings.map((binding) => ({
      title: binding.title,
      branch: binding.branch,
      directory: binding.directory,
      spaceId: binding.spaceId,
      liveOid: binding.liveOid,
      error: binding.lastError,
      disconnected: binding.disconnected,
      removedAt: removalTime(binding, retainDisconnectedDays)?.toISOString() ?? null,
      importing: binding.pendingOids.length > 0,
      updatedAt: binding.updatedAt.toISOString(),
      exported: presentLast(binding, exports.get(binding.id)),
      linksOutside: presentCounts(externalLinks.get(binding.id)),
    })),
    site: presentSite(repository),
    ...configured,
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

function presentSite({ site }: RepositoryStatus['repository']): StatusRepository['site'] {
  if (site === null) return null;
  const { title, address, isPublished, error } = site;
  return { title, address, isPublished, error };
}

/** The jobs that wait, run or failed, by repository: of its branches, pull requests, exports, external links, specifications and translations. */
async function listWorkOf(
  pool: pg.Pool,
  statuses: readonly RepositoryStatus[],
): Promise<ReadonlyMap<number, readonly StatusJob[]>> {
  const ids = statuses.map(({ repository }) => repository.id);
  const bindings = new Map(
    statuses.flatMap((status) => status.bindings.map((binding) => [binding.id, binding])),
  );
  const [deliveries, exports, gatherings, specs, translations, conversations, mirrors] = await Promise.all([
    listDeliveryJobs(pool, ids),
    listJobsAbout(pool, exportJob.name, 'bindingId', [...bindings.keys()]),
    listJobsAbout(pool, gatherJob.name, 'repositoryId', ids),
    listJobsAbout(pool, specJob.name, 'repositoryId', ids),
    listJobsAbout(pool, translateJob.name, 'repositoryId', ids),
    listJobsAbout(pool, conversationSyncJob.name, 'repositoryId', ids),
    listJobsAbout(pool, mirrorJob.name, 'repositoryId', ids),
  ]);
  return new Map(
    ids.map((id) => [
      id,
      [
        ...(deliveries.get(id) ?? []).map((job) => presentJob(job, job.subject)),
        ...exports.flatMap((job) => {
          const binding = bindings.get(payloadOf(exportJob, job).bindingId);
          return binding?.repositoryId === id
            ? [presentJob(job, { kind: 'export', title: binding.title })]
            : [];
        }),
        ...gatherings.filter(isOf(id)).map((job) => presentJob(job, { kind: 'external-links' })),
        ...specs.filter(isOf(id)).map((job) => {
          const { name } = payloadOf(specJob, job);
          return presentJob(job, { kind: 'specifications', name: name || null });
        }),
        // Each space is checked every minute, so only failures are news.
        ...translations
          .filter(isOf(id))
          .filter(({ error }) => error !== null)
          .map((job) => {
            const { space } = payloadOf(translateJob, job);
            return presentJob(job, { kind: 'translations', directory: space || null });
          }),
        // There may be hundreds of them, so only failures are news here, too.
        ...conversations
          .filter(isOf(id))
          .filter(({ error }) => error !== null)
          .map((job) => {
            const { question } = payloadOf(conversationSyncJob, job);
            const of = question === undefined ? null : `${question.kind}/${question.number}`;
            return presentJob(job, { kind: 'conversations', of });
          }),
        ...mirrors
          .filter(isOf(id))
          .map((job) => presentJob(job, { kind: 'comments', pull: payloadOf(mirrorJob, job).number })),
      ],
    ]),
  );
}

function isOf(id: number): (job: ListedJob) => boolean {
  return ({ payload }) => (payload as { readonly repositoryId: number }).repositoryId === id;
}

/** The payload of a job of this kind, which was checked when the job was enqueued. */
function payloadOf<P extends TSchema>(_job: JobDefinition<P>, { payload }: ListedJob): Static<P> {
  return payload as Static<P>;
}

function presentJob({ id, state, attempt, error, at }: ListedJob, subject: StatusSubject): StatusJob {
  return { id, subject, state, attempt, error, at: at.toISOString() };
}
