import {
  type GitOperation,
  type OpenAPISpec,
  operations,
  type PlatformClient,
  PlatformError,
  type Space,
  type Translation,
} from '../../client/index.ts';
import type { StatusSpec, StatusTranslation } from '../status-configured.ts';
import type { StatusBinding, StatusRepository } from '../status-pages.ts';
import { latestSync } from '../views/operation-state.ts';

/** A bound space as somebody may see it. */
export interface VisibleBinding {
  readonly binding: StatusBinding;
  /** Null until the first import made it. */
  readonly space: Space | null;
  /** The latest import or export that is no preview; null when there was none. */
  readonly operation: GitOperation | null;
  /** When what is live came; null when that was long ago. */
  readonly liveAt: string | null;
}

/** A specification as somebody may see it. */
export interface VisibleSpec {
  readonly spec: StatusSpec;
  /** Null where the platform has none, or shows it not. */
  readonly live: OpenAPISpec | null;
  /** When the version that is live was made; null for none. */
  readonly versionAt: string | null;
}

/** A translation as somebody may see it. */
export interface VisibleTranslation {
  readonly translation: StatusTranslation;
  /** Null until it is made. */
  readonly live: Translation | null;
  /** The space that is translated; null where they may not see it. */
  readonly source: Space | null;
}

/** A repository as somebody may see it. */
export interface VisibleRepository {
  readonly repository: StatusRepository;
  readonly bindings: readonly VisibleBinding[];
  readonly specifications: readonly VisibleSpec[];
  readonly translations: readonly VisibleTranslation[];
  /** Whether they may let it sync, and run failed work again. */
  readonly maySync: boolean;
}

const callsAtOnce = 6;
/** Further back nobody looks for how a space came to stand as it does. */
const OPERATIONS_READ = 10;

/**
 * Of a repository what the owner of a token may see: the spaces that the platform shows them with how they come about.
 * Null when there is none. An administrator of the server sees all.
 */
export async function loadVisibleRepository(
  client: PlatformClient,
  repository: StatusRepository,
  isAdministrator: boolean,
): Promise<VisibleRepository | null> {
  const bindings = await loadAll(repository.bindings, (one) =>
    loadVisibleBinding(client, one, isAdministrator),
  );
  if (!isAdministrator && bindings.length === 0) return null;
  const maySync = isAdministrator || bindings.some(({ space }) => space?.permissions.triggerGitSync === true);
  const specifications = await loadAll(repository.specifications, (one) =>
    loadVisibleSpec(client, one, maySync),
  );
  const translations = await loadAll(repository.translations, (one) =>
    loadVisibleTranslation(client, one, bindings, isAdministrator),
  );
  return { repository, bindings, specifications, translations, maySync };
}

/** Those that may be seen, a few at once. */
async function loadAll<Item, Seen>(
  items: readonly Item[],
  see: (item: Item) => Promise<Seen | null>,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (let at = 0; at < items.length; at += callsAtOnce) {
    const some = await Promise.all(items.slice(at, at + callsAtOnce).map(see));
    seen.push(...some.filter((one) => one !== null));
  }
  return seen;
}

/** Whoever may not let the repository sync sees what the platform shows them, and no address's query. */
async function loadVisibleSpec(
  client: PlatformClient,
  spec: StatusSpec,
  maySync: boolean,
): Promise<VisibleSpec | null> {
  const params = { organizationId: spec.organizationId, specSlug: spec.name };
  const live = await whereShown(client.call(operations.getOpenAPISpec, { params }));
  if (live === null) return maySync ? { spec, live, versionAt: null } : null;
  const versions =
    live.lastVersion === undefined
      ? null
      : await whereShown(client.call(operations.listOpenAPISpecVersions, { params, query: { limit: 1 } }));
  const source = maySync ? spec.source : { ...spec.source, at: spec.source.at.replace(/\?.*$/s, '') };
  return { spec: { ...spec, source }, live, versionAt: versions?.items[0]?.createdAt ?? null };
}

async function loadVisibleTranslation(
  client: PlatformClient,
  translation: StatusTranslation,
  bindings: readonly VisibleBinding[],
  isAdministrator: boolean,
): Promise<VisibleTranslation | null> {
  const { organizationId, translationId, directory, isNamed } = translation;
  const live =
    translationId === null
      ? null
      : await whereShown(
          client.call(operations.getTranslation, { params: { organizationId, translationId } }),
        );
  // What is named no longer, and was deleted, is no more.
  if (live === null && !isNamed) return null;
  const of = bindings.find(({ binding }) => binding.directory === directory && binding.disconnected === null);
  const source = of?.space ?? null;
  return live === null && source === null && !isAdministrator ? null : { translation, live, source };
}

/** Null where the platform says that there is nothing, or nothing for them. */
async function whereShown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}

async function loadVisibleBinding(
  client: PlatformClient,
  binding: StatusBinding,
  isAdministrator: boolean,
): Promise<VisibleBinding | null> {
  const nothing = isAdministrator ? { binding, space: null, operation: null, liveAt: null } : null;
  if (binding.spaceId === null) return nothing;
  const params = { spaceId: binding.spaceId };
  const space = await whereShown(client.call(operations.getSpace, { params }));
  if (!space?.permissions.access) return nothing;
  const query = { limit: OPERATIONS_READ };
  const found = await whereShown(client.call(operations.listGitOperations, { params, query }));
  const history = found?.items ?? [];
  const made = history.find((one) => one.state === 'success' && one.revision === space.revision);
  return { binding, space, operation: latestSync(history), liveAt: made?.endedAt ?? null };
}
