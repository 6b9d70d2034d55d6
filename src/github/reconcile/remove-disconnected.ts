import type { Logger } from 'pino';
import { operations, type PlatformClient, PlatformError, type Space } from '../../client/index.ts';
import {
  type Binding,
  correctDisconnectionTimes,
  type Database,
  deleteDisconnectedBinding,
  deleteLongDisconnectedRepositories,
  listLongDisconnected,
  loadRepository,
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

/** The docs of an archived repository are complete, not abandoned, and a suspended installation is meant to go on. */
const RETAINED_REASONS: readonly string[] = [DISCONNECTED.archived, DISCONNECTED.suspended];

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
  const reasonsOfRepositories = Object.values(DISCONNECTED);
  const age = { days, exceptReasons: RETAINED_REASONS, reasonsOfRepositories };
  for (const binding of await listLongDisconnected(db, age, SPACES_PER_PASS)) {
    signal.throwIfAborted();
    const { repository, directory, spaceId } = binding;
    const about = { repository, directory, spaceId };
    try {
      const abandoned = await findAbandonedSpace(deps, binding);
      // Before the space: whoever connects the directory again from here on gets a new binding and a new space.
      if (!(await deleteDisconnectedBinding(db, binding.id, age))) continue;
      if (abandoned !== null) await deps.deleteSpace(abandoned);
      log.info(
        { ...about, deleted: abandoned !== null },
        'A space was disconnected for long and is not bound any more',
      );
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn({ err: error, ...about }, 'A disconnected space could not be removed');
    }
  }
  await deleteLongDisconnectedRepositories(db, age);
}

/** The id of a binding's space, if nobody needs it any more; null if there is none, or somebody does. */
async function findAbandonedSpace({ db, client }: RemovalDeps, binding: Binding): Promise<string | null> {
  const { spaceId } = binding;
  if (spaceId === null || binding.claimedSpace) return null;
  // Until 0.1.0 it was not recorded which spaces a configuration had named.
  const repository = await loadRepository(db, binding.repositoryId);
  if (repository?.configText?.includes(spaceId) === true) return null;
  try {
    const space = await client.call(operations.getSpace, { params: { spaceId } });
    const isDeleted = space.deletedAt !== undefined;
    return !isDeleted && (await isAbandoned(client, space, binding)) ? spaceId : null;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return null;
    throw error;
  }
}

/** Whether the space was created for the binding, and contains nothing that people wrote on the platform. */
async function isAbandoned(client: PlatformClient, space: Space, binding: Binding): Promise<boolean> {
  if (Date.parse(space.createdAt) < binding.createdAt.getTime()) return false;
  if (binding.direction !== 'import' || space.changeRequests > 0) return false;
  if (await isTranslated(client, space)) return false;
  if (space.gitSync !== undefined) return space.gitSync.hasEdits === false;
  const { pages } = await client.call(operations.listPages, { params: { spaceId: space.id } });
  return pages.length === 0;
}

/** Whether a translation reads the space: it would end, with what people corrected in it. */
async function isTranslated(client: PlatformClient, space: Space): Promise<boolean> {
  const params = { organizationId: space.organization };
  for await (const { source } of client.paginate(operations.listTranslations, { params })) {
    if (source.space === space.id) return true;
  }
  return false;
}
