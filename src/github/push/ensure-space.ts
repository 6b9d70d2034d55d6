import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import {
  type Binding,
  bindSpace,
  type Database,
  findBoundSpaces,
  recordClaim,
  releaseSpace,
  unbindSpace,
} from '../../store/index.ts';

interface EnsureDeps {
  readonly db: Database;
  readonly client: PlatformClient;
  readonly organizationId: () => Promise<string>;
}

/** Two bindings may claim the same orphan at once; the loser searches again. */
const ATTEMPTS = 5;

/** The configuration names a space that the repository may not have: a sentence for people. */
export class SpaceRefusedError extends Error {
  override readonly name = 'SpaceRefusedError';
}

interface EnsureOptions {
  /** Whether the binding was created just now, so no earlier attempt can have created its space. */
  readonly isNew: boolean;
  /** The id of the space that the configuration names. */
  readonly wanted: string | null;
  /** Whether the space may contain pages that did not come from the repository. */
  readonly mayContainPages: boolean;
}

/**
 * The id of a binding's space, created when missing. The binding's row is older than its space, so a space that was created
 * just before a crash is found again: an empty space of that title, younger than the binding and bound to nothing. A space
 * that was deleted on the platform is replaced by a new one. A space that the configuration names is claimed when that is
 * allowed; throws `SpaceRefusedError` otherwise.
 */
export async function ensureSpace(
  deps: EnsureDeps,
  binding: Binding,
  { isNew, wanted, mayContainPages }: EnsureOptions,
): Promise<string> {
  if (wanted !== null && wanted !== binding.spaceId) {
    await claimSpace(deps, binding, wanted, mayContainPages);
    return wanted;
  }
  if (binding.spaceId !== null) {
    if (wanted !== null && !binding.claimedSpace) await recordClaim(deps.db, binding.id);
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
    if (await bindSpace(deps.db, binding.id, spaceId, { isClaimed: false })) return spaceId;
  }
  throw new Error(`No space could be bound to ${binding.repository} in ${ATTEMPTS} attempts.`);
}

/**
 * Binds the space that the configuration names. Throws `SpaceRefusedError` where that is not allowed: otherwise anyone who
 * may push to a repository could replace the pages of others.
 */
async function claimSpace(
  { db, client, organizationId }: EnsureDeps,
  binding: Binding,
  spaceId: string,
  mayHoldPages: boolean,
): Promise<void> {
  const space = await findSpace(client, spaceId, [400, 403, 404]);
  // A space of another organization is reported as missing, so that its id is not disclosed.
  if (space === null || space.organization !== (await organizationId())) {
    throw new SpaceRefusedError(
      `The organization has no space with the id ${spaceId}. Copy the id from the space's address.`,
    );
  }
  const wasOurs = await releaseSpace(db, binding.repositoryId, spaceId, binding.id);
  if ((await findBoundSpaces(db, [spaceId])).size > 0) {
    throw new SpaceRefusedError(
      `The space ${spaceId} is bound to another directory or repository. Remove it there first.`,
    );
  }
  const { pages } = await client.call(operations.listPages, { params: { spaceId } });
  if (pages.length > 0 && !wasOurs && !mayHoldPages) {
    throw new SpaceRefusedError(
      `The space ${spaceId} contains pages that did not come from this repository, and an import would replace them. Empty it, or name a new one.`,
    );
  }
  if (binding.spaceId !== null) await unbindSpace(db, binding.id, binding.spaceId);
  if (!(await bindSpace(db, binding.id, spaceId, { isClaimed: true })))
    throw new SpaceRefusedError(`The space ${spaceId} was bound elsewhere just now.`);
}

/** The space; null when it is deleted, or the platform answers with one of these status codes. */
async function findSpace(client: PlatformClient, spaceId: string, missing: readonly number[] = [404]) {
  try {
    const space = await client.call(operations.getSpace, { params: { spaceId } });
    return space.deletedAt === undefined ? space : null;
  } catch (error) {
    if (error instanceof PlatformError && missing.includes(error.status)) return null;
    throw error;
  }
}

async function spaceExists(client: PlatformClient, spaceId: string): Promise<boolean> {
  return (await findSpace(client, spaceId)) !== null;
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
    const isYounger = Date.parse(space.createdAt) >= binding.createdAt.getTime();
    if (isYounger && space.gitSync === undefined && space.title === binding.title) candidates.push(space.id);
  }
  const bound = await findBoundSpaces(db, candidates);
  for (const spaceId of candidates.filter((id) => !bound.has(id))) {
    // Somebody may have created a space of this title by hand and started to write.
    const { pages } = await client.call(operations.listPages, { params: { spaceId } });
    if (pages.length === 0) return spaceId;
  }
  return null;
}
