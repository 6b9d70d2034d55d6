import PQueue from 'p-queue';
import { ScimError } from './scim-error.ts';

/** Requests of one organization that are answered at once in a process: they wait for each other in the database anyway. */
const AT_ONCE = 4;
/** Requests that wait; providers repeat what is refused. */
const MAX_WAITING = 64;

/** Lets the requests of each organization take turns, so that a full synchronization of one does not stop all others. */
export class Turns {
  readonly #queues = new Map<string, PQueue>();

  /** @throws ScimError 429 when too many requests of the organization wait */
  async take<T>(organizationId: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(organizationId) ?? new PQueue({ concurrency: AT_ONCE });
    this.#queues.set(organizationId, queue);
    if (queue.size >= MAX_WAITING)
      throw new ScimError(
        429,
        null,
        'Too many requests of this organization wait; send this one again later.',
      );
    try {
      return await queue.add(task);
    } finally {
      if (queue.size === 0 && queue.pending <= 1) this.#queues.delete(organizationId);
    }
  }
}
