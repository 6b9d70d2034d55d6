import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import { type Binding, bindSpace, boundSpaces, unbindSpace } from '../../store/bindings.ts';
import type { Database } from '../../store/db.ts';

interface EnsureDeps {
  readonly db: Database;
  readonly client: PlatformClient;
  readonly organizationId: () => Promise<string>;
}

/** Two bindings may reach for the same orphan at once; one of them gets it and the other looks again. */
const ATTEMPTS = 5;

/**
 * The id of a binding's space, created when missing. The binding's row is older than its space, so after a
 * crash between creating and binding the space is found again: an empty space of that title, younger than the
 * binding, that no binding holds. Nothing is looked for when the binding `isNew`. A space that was deleted on the platform is replaced by a new one.
 */
export async function ensureSpace(deps: EnsureDeps, binding: Binding, isNew: boolean): Promise<string> {
  if (binding.spaceId !== null) {
    if (await spaceExists(deps.client, binding.spaceId)) return binding.spaceId;
    await unbindSpace(deps.db, binding.id, binding.spaceId);
  }
  const organizationId = await deps.organizationId();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const spaceId =
      (isNew && attempt === 1 ? null : await findOrphan(deps, organizationId, binding)) ??
      (
        await deps.client.call(operations.createSpace, {
          params: { organizationId },
          body: { title: binding.title },
        })
      ).id;
    if (await bindSpace(deps.db, binding.id, spaceId)) return spaceId;
  }
  throw new Error(`No space could be bound to ${binding.repository} in ${ATTEMPTS} tries.`);
}

async function spaceExists(client: PlatformClient, spaceId: string): Promise<boolean> {
  try {
    const space = await client.call(operations.getSpace, { params: { spaceId } });
    return space.deletedAt === undefined;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return false;
    throw error;
  }
}

async function findOrphan(
  { db, client }: EnsureDeps,
  organizationId: string,
  binding: Binding,
): Promise<string | null> {
  const candidates: string[] = [];
  for await (const space of client.paginate(operations.listSpaces, {
    params: { organizationId },
    query: { limit: 1000 },
  })) {
    const young = Date.parse(space.createdAt) >= binding.createdAt.getTime();
    if (young && space.gitSync === undefined && space.title === binding.title) candidates.push(space.id);
  }
  const bound = await boundSpaces(db, candidates);
  for (const spaceId of candidates.filter((id) => !bound.has(id))) {
    // Somebody may have made a space of this name by hand, and begun to write.
    const { pages } = await client.call(operations.listPages, { params: { spaceId } });
    if (pages.length === 0) return spaceId;
  }
  return null;
}
