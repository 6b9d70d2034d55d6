import {
  type GitOperation,
  operations,
  type PlatformClient,
  PlatformError,
  type Space,
} from '../../client/index.ts';
import type { StatusBinding, StatusRepository } from '../status-pages.ts';

/** A bound space as somebody may see it. */
export interface SeenBinding {
  readonly binding: StatusBinding;
  /** Null until the first import made it. */
  readonly space: Space | null;
  /** The latest import or export; null when there was none. */
  readonly operation: GitOperation | null;
}

/** A repository as somebody may see it. */
export interface SeenRepository {
  readonly repository: StatusRepository;
  readonly bindings: readonly SeenBinding[];
  /** Whether they may let it sync, and run failed work again. */
  readonly maySync: boolean;
}

const callsAtOnce = 6;

/**
 * Of a repository what the owner of a token may see: the spaces that the platform shows them with how they come about.
 * Null when there is none. An administrator of the server sees all.
 */
export async function seeRepository(
  client: PlatformClient,
  repository: StatusRepository,
  isAdministrator: boolean,
): Promise<SeenRepository | null> {
  const bindings: SeenBinding[] = [];
  for (let at = 0; at < repository.bindings.length; at += callsAtOnce) {
    const some = repository.bindings.slice(at, at + callsAtOnce);
    const seen = await Promise.all(some.map((one) => seeBinding(client, one, isAdministrator)));
    bindings.push(...seen.filter((one) => one !== null));
  }
  if (!isAdministrator && bindings.length === 0) return null;
  const maySync = isAdministrator || bindings.some(({ space }) => space?.permissions.triggerGitSync === true);
  return { repository, bindings, maySync };
}

async function seeBinding(
  client: PlatformClient,
  binding: StatusBinding,
  isAdministrator: boolean,
): Promise<SeenBinding | null> {
  const nothing = isAdministrator ? { binding, space: null, operation: null } : null;
  if (binding.spaceId === null) return nothing;
  const params = { spaceId: binding.spaceId };
  try {
    const space = await client.call(operations.getSpace, { params });
    if (!space.permissions.access) return nothing;
    const { items } = await client.call(operations.listGitOperations, { params, query: { limit: 1 } });
    return { binding, space, operation: items[0] ?? null };
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return nothing;
    throw error;
  }
}
