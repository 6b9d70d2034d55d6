import type { Logger } from 'pino';
import { operations, type PlatformClient, PlatformError, type Space } from '../../client/index.ts';
import {
  type Binding,
  correctDisconnectionTimes,
  type Database,
  deleteDisconnectedBinding,
  deleteLongDisconnectedRepositories,
  listLongDisconnected,
} from '../../store/index.ts';
import { DISCONNECTED } from '../repository/index.ts';

export interface RemovalDeps {
  readonly db: Database;
  readonly client: PlatformClient;
  /** Deletes a space of the platform, for which the client's token may have too few rights. */
  readonly deleteSpace: (spaceId: string) => Promise<void>;
  readonly log: Logger;
  /** How long the space of a disconnected repository, branch or directory is retained; null for ever. */
  readonly retainDisconnectedDays: number | null;
}

/** The docs of an archived repository are complete, not abandoned. */
const RETAINED_REASONS: readonly string[] = [DISCONNECTED.archived];

/** At most this many spaces are removed in one pass; the next pass goes on. */
const SPACES_PER_PASS = 100;

const DAY_MS = 24 * 60 * 60 * 1000;

/** When the space of a binding is removed, unless it was edited on the platform or is connected again; null for never. */
export function removalTime(
  { disconnected, disconnectedAt }: Pick<Binding, 'disconnected' | 'disconnectedAt'>,
  days: number | null,
): Date | null {
  if (disconnected === null || days === null || RETAINED_REASONS.includes(disconnected)) return null;
  return new Date((disconnectedAt?.getTime() ?? Date.now()) + days * DAY_MS);
}

/**
 * Deletes the spaces that pushes have not reached for long, with their bindings and the records of their repositories. A
 * space that contains more than its repository had, or that existed before it was bound, stays as a space without a
 * repository. The platform can restore deleted ones for some days.
 */
export async function removeDisconnected(deps: RemovalDeps, signal: AbortSignal): Promise<void> {
  const { db, log, retainDisconnectedDays: days } = deps;
  await correctDisconnectionTimes(db);
  if (days === null) return;
  const age = { days, exceptReasons: RETAINED_REASONS };
  for (const binding of await listLongDisconnected(db, age, SPACES_PER_PASS)) {
    signal.throwIfAborted();
    const deleted = await deleteAbandonedSpace(deps, binding);
    await deleteDisconnectedBinding(db, binding.id);
    const { repository, directory, spaceId } = binding;
    log.info(
      { repository, directory, spaceId, deleted },
      'A space was disconnected for long and is not bound any more',
    );
  }
  await deleteLongDisconnectedRepositories(db, age);
}

/** Deletes the space of a binding unless people still need it. Returns whether it did. */
async function deleteAbandonedSpace(
  { client, deleteSpace, log }: RemovalDeps,
  binding: Binding,
): Promise<boolean> {
  const { spaceId } = binding;
  if (spaceId === null || binding.claimedSpace) return false;
  try {
    const space = await client.call(operations.getSpace, { params: { spaceId } });
    if (space.deletedAt !== undefined || !(await isAbandoned(client, space, binding))) return false;
    await deleteSpace(spaceId);
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.retryable) throw error;
    if (error.status !== 404) log.warn({ err: error, spaceId }, 'A disconnected space could not be deleted');
    return false;
  }
}

/** Whether the space was created for the binding, and contains nothing that people wrote on the platform. */
async function isAbandoned(client: PlatformClient, space: Space, binding: Binding): Promise<boolean> {
  // Until 0.1.0 it was not recorded which spaces a configuration had named.
  if (Date.parse(space.createdAt) < binding.createdAt.getTime()) return false;
  if (binding.direction !== 'import' || space.changeRequestsOpen + space.changeRequestsDraft > 0)
    return false;
  if (space.gitSync !== undefined) return space.gitSync.hasEdits === false;
  const { pages } = await client.call(operations.listPages, { params: { spaceId: space.id } });
  return pages.length === 0;
}
