import { Type } from 'typebox';
import { defineJob, type EnqueueOptions, type JobDefinition, type Queue } from '../../queue/index.ts';
import type { Db } from '../../store/index.ts';
import type { FixWish } from '../pull-request/fix-pull.ts';

/**
 * The work of one webhook delivery, or the same work without one: a look at a branch or pull request as it is now.
 * What is about one branch or one pull request runs one at a time in the
 * order of arrival, and none of it waits for another subject: a pull request is checked also while an
 * import of its repository fails and is tried again. Ten tries with growing pauses reach over more than an hour,
 * longer than most outages of GitHub's API.
 */
export const deliveryJob = defineJob({
  name: 'github.delivery',
  payload: Type.Object({
    /** Absent for a look. */
    deliveryId: Type.Optional(Type.String()),
    look: Type.Optional(
      Type.Object({
        installationId: Type.Integer(),
        /** `owner/name` as last seen. */
        fullName: Type.String(),
        /** The delivery by which someone asked to have a pull request checked again. */
        rerun: Type.Optional(Type.String()),
        /** The check run that is meant by that; all of the pull request's when absent. */
        rerunOf: Type.Optional(Type.Integer()),
        /** Somebody pressed the button of the check run of this head. */
        fix: Type.Optional(
          Type.Object({
            headOid: Type.String(),
            checkRunId: Type.Optional(Type.Integer()),
            by: Type.Object({ login: Type.String(), id: Type.Integer() }),
          }),
        ),
      }),
    ),
    /** Null for what is about an installation. */
    repositoryId: Type.Union([Type.Integer(), Type.Null()]),
    /** What in the repository it is about: a full ref name, or `pull/7`. */
    subject: Type.String(),
  }),
  retryLimit: 10,
  retryDelay: 2,
  retryDelayMax: 900,
  expireInSeconds: 900,
  key: keyOf,
  concurrency: 4,
});

function keyOf({ repositoryId, subject }: Pick<DeliveryWork, 'repositoryId' | 'subject'>): string {
  return repositoryId === null ? subject : `${repositoryId}/${subject}`;
}

interface DeliveryWork {
  readonly repositoryId: number | null;
  readonly subject: string;
}

/** A branch or pull request to look at, as a push or an event of it would. */
export interface Look {
  readonly installationId: number;
  readonly repositoryId: number;
  /** `owner/name` as last seen. */
  readonly fullName: string;
  /** `refs/heads/main` or `pull/7`. */
  readonly subject: string;
  /** The delivery by which someone asked to have a pull request checked again. */
  readonly rerun?: string;
  /** The check run that is meant by that; all of the pull request's when absent. */
  readonly rerunOf?: number;
  /** Somebody pressed the button of the check run of this head. */
  readonly fix?: FixWish;
}

/** Of these subjects of looks, those that have work under way. */
export async function findBusy<T extends DeliveryWork>(
  queue: Queue,
  looks: readonly T[],
): Promise<ReadonlySet<T>> {
  const keys = await queue.underWay(deliveryJob as unknown as JobDefinition, looks.map(keyOf));
  return new Set(looks.filter((look) => keys.has(keyOf(look))));
}

/** Enqueues a look. */
export async function enqueueLook(
  deps: { readonly db: Db; readonly queue: Queue },
  { repositoryId, subject, ...look }: Look,
  options: Pick<EnqueueOptions, 'startAfter' | 'priority'> = {},
): Promise<void> {
  await deps.queue.enqueue(deps.db, deliveryJob, { look, repositoryId, subject }, options);
}
