import type pg from 'pg';
import { type Static, Type } from 'typebox';
import {
  defineJob,
  type EnqueueOptions,
  type JobDefinition,
  type ListedJob,
  listJobsAbout,
  type Queue,
} from '../../queue/index.ts';
import type { Db } from '../../store/index.ts';
import { type JobSubject, readSubject, writeSubject } from './subject.ts';

/** A press of a check run's button. */
export const FixRequest = Type.Object({
  /** The commit of the check run. */
  headOid: Type.String(),
  checkRunId: Type.Optional(Type.Integer()),
  /** Who pressed it. */
  by: Type.Object({ login: Type.String(), id: Type.Integer() }),
});
export type FixRequest = Static<typeof FixRequest>;

/** A repository by its installation, and `owner/name` as last seen. */
const target = { installationId: Type.Integer(), fullName: Type.String() };
const number = Type.Integer({ minimum: 1 });

/** The work of a job; a recheck syncs with the current state of a branch or pull request, as an event would. */
const JobWork = Type.Union([
  Type.Object({ kind: Type.Literal('delivery'), deliveryId: Type.String() }),
  Type.Object({ kind: Type.Literal('branch'), ...target, branch: Type.String() }),
  Type.Object({
    kind: Type.Literal('pull-request'),
    ...target,
    number,
    /** Somebody requested a new check, whatever the last one found. */
    rerun: Type.Optional(
      Type.Object({
        /** The delivery of that request. */
        delivery: Type.String(),
        /** The check run to run again; null for all of the pull request's. */
        checkRunId: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ),
  }),
  /** All open pull requests of the repository. */
  Type.Object({ kind: Type.Literal('pull-requests'), ...target }),
  Type.Object({ kind: Type.Literal('fix'), ...target, number, request: FixRequest }),
  /** The pull request that proposes a configuration. */
  Type.Object({ kind: Type.Literal('onboarding'), ...target }),
]);
export type Work = Static<typeof JobWork>;
type RecheckWork = Exclude<Work, { kind: 'delivery' }>;

/** Something to sync with its current state without an event. */
export type Recheck = RecheckWork & { readonly repositoryId: number };

/**
 * The work of one webhook delivery, or a recheck. Jobs about one branch or one pull request run one at a time in the order
 * of arrival, and none waits for another subject: a pull request is checked even while an import of its repository fails
 * and is retried. Ten attempts with growing pauses cover more than an hour, longer than most outages of GitHub's API.
 */
export const deliveryJob = defineJob({
  name: 'github.delivery',
  payload: Type.Object({
    /** Null for work on an installation. */
    repositoryId: Type.Union([Type.Integer(), Type.Null()]),
    /** Orders the jobs of a repository: the text of a `JobSubject`. */
    subject: Type.String(),
    /** Absent in jobs that 0.1.0 enqueued. */
    work: Type.Optional(JobWork),
    // 0.1.0 reads and writes the two below instead of `work`, and may run beside this release; remove them in 0.3.0.
    deliveryId: Type.Optional(Type.String()),
    look: Type.Optional(
      Type.Object({
        ...target,
        rerun: Type.Optional(Type.String()),
        rerunOf: Type.Optional(Type.Integer()),
        fix: Type.Optional(FixRequest),
      }),
    ),
  }),
  retryLimit: 10,
  retryDelay: 2,
  retryDelayMax: 900,
  expireInSeconds: 900,
  key: keyOf,
  concurrency: 4,
});
type Payload = Static<typeof deliveryJob.payload>;

function keyOf({
  repositoryId,
  subject,
}: {
  readonly repositoryId: number | null;
  readonly subject: string;
}): string {
  return repositoryId === null ? subject : `${repositoryId}/${subject}`;
}

/** The payload of a delivery's job. */
export function deliveryPayload(
  deliveryId: string,
  about: { readonly repositoryId: number | null; readonly subject: string },
): Payload {
  return { ...about, work: { kind: 'delivery', deliveryId }, deliveryId };
}

export function recheckPayload({ repositoryId, ...work }: Recheck): Payload {
  const { installationId, fullName } = work;
  const rerun = work.kind === 'pull-request' ? work.rerun : undefined;
  return {
    repositoryId,
    subject: writeSubject(subjectOf(work)),
    work,
    look: {
      installationId,
      fullName,
      ...(rerun && { rerun: rerun.delivery }),
      ...(rerun?.checkRunId != null && { rerunOf: rerun.checkRunId }),
      ...(work.kind === 'fix' && { fix: work.request }),
    },
  };
}

function subjectOf(work: RecheckWork): JobSubject {
  switch (work.kind) {
    case 'branch':
      return { kind: 'branch', name: work.branch };
    case 'pull-request':
    case 'fix':
      return { kind: 'pull-request', id: String(work.number) };
    case 'pull-requests':
    case 'onboarding':
      return { kind: work.kind };
  }
}

/** The work of a job; null when the payload has none. */
export function workOf(payload: Payload): Work | null {
  return payload.work ?? workOf010(payload);
}

/** The work of a job that 0.1.0 enqueued, read mostly from the subject. Remove in 0.3.0. */
function workOf010({ deliveryId, look, subject }: Payload): Work | null {
  if (deliveryId !== undefined) return { kind: 'delivery', deliveryId };
  if (look === undefined) return null;
  const { rerun: delivery, rerunOf: checkRunId = null, fix, ...repository } = look;
  const about = readSubject(subject);
  if (about.kind === 'pull-requests' || about.kind === 'onboarding')
    return { kind: about.kind, ...repository };
  if (about.kind === 'branch') return { kind: 'branch', ...repository, branch: about.name };
  const number = about.kind === 'pull-request' && /^\d+$/.test(about.id) ? Number(about.id) : 0;
  if (number === 0) return null;
  if (fix !== undefined) return { kind: 'fix', ...repository, number, request: fix };
  const rerun = delivery === undefined ? {} : { rerun: { delivery, checkRunId } };
  return { kind: 'pull-request', ...repository, number, ...rerun };
}

const BRANCH = /^refs\/heads\/(.+)$/;

/** The branch of a full ref name; null for a tag. */
export function branchOf(ref: string): string | null {
  return BRANCH.exec(ref)?.[1] ?? null;
}

/** The rechecks whose subject has unfinished jobs. */
export async function findBusy<R extends Recheck>(
  queue: Queue,
  rechecks: readonly R[],
): Promise<ReadonlySet<R>> {
  const keyed = rechecks.map((recheck) => [recheck, keyOf(recheckPayload(recheck))] as const);
  const busy = await queue.findUnfinished(
    deliveryJob as unknown as JobDefinition,
    keyed.map(([, key]) => key),
  );
  return new Set(keyed.flatMap(([recheck, key]) => (busy.has(key) ? [recheck] : [])));
}

export async function enqueueRecheck(
  { db, queue }: { readonly db: Db; readonly queue: Queue },
  recheck: Recheck,
  options: Pick<EnqueueOptions, 'startAfter' | 'priority'> = {},
): Promise<void> {
  await queue.enqueue(db, deliveryJob, recheckPayload(recheck), options);
}

/** A job about a repository, with what of it the job is about. */
export interface ListedDeliveryJob extends ListedJob {
  readonly repositoryId: number;
  readonly subject: JobSubject;
}

/** The jobs about these repositories' branches and pull requests that wait, run or failed, by repository. */
export async function listDeliveryJobs(
  pool: pg.Pool,
  repositoryIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ListedDeliveryJob[]>> {
  const jobs = await listJobsAbout(pool, deliveryJob.name, 'repositoryId', repositoryIds);
  const listed = jobs.map((job): ListedDeliveryJob => {
    const { repositoryId, subject, work } = job.payload as Payload & { readonly repositoryId: number };
    const isRecheck = work !== undefined && work.kind !== 'delivery';
    return { ...job, repositoryId, subject: isRecheck ? subjectOf(work) : readSubject(subject) };
  });
  return Map.groupBy(listed, ({ repositoryId }) => repositoryId);
}
