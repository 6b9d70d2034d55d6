import {
  type GitOperation,
  type OpenAPISpec,
  operations,
  type PlatformClient,
  PlatformError,
  RECENT_OPERATIONS,
  type Space,
  type Translation,
} from '../../client/index.ts';
import type { StatusSpec, StatusTranslation } from '../status-configured.ts';
import type { StatusBinding, StatusRepository } from '../status-pages.ts';
import { latestSync } from '../views/operation-state.ts';
import { findLiveOperation, liveSince } from './live-since.ts';

/** A bound space, with what one user may see of it. */
export interface VisibleBinding {
  readonly binding: StatusBinding;
  /** Null until the first import creates it. */
  readonly space: Space | null;
  /** The latest import or export that is no preview; null when there was none. */
  readonly operation: GitOperation | null;
  /** When the live content was imported; null when that was long ago. */
  readonly liveAt: string | null;
  /** What the platform lost of the live content; null for nothing. */
  readonly lost: GitOperation['lost'] | null;
}

/** A specification, with what one user may see of it. */
export interface VisibleSpec {
  readonly spec: StatusSpec;
  /** Null when the platform has none, or does not show it to the user. */
  readonly live: OpenAPISpec | null;
  /** When the live version was created; null when there is none. */
  readonly versionAt: string | null;
}

/** A translation, with what one user may see of it. */
export interface VisibleTranslation {
  readonly translation: StatusTranslation;
  /** Null until it is created. */
  readonly live: Translation | null;
  /** The space that is translated; null when the user may not see it. */
  readonly source: Space | null;
}

/** A repository, with what one user may see of it. */
export interface VisibleRepository {
  readonly repository: StatusRepository;
  readonly bindings: readonly VisibleBinding[];
  readonly specifications: readonly VisibleSpec[];
  readonly translations: readonly VisibleTranslation[];
  /** Whether the user may start a sync and run failed jobs again. */
  readonly maySync: boolean;
}

const callsAtOnce = 6;

/**
 * Loads of a repository what the client's user may see: the spaces that the platform shows to that user, with their last
 * syncs. Null when there are none. An administrator of the server sees everything.
 */
export async function loadVisibleRepository(
  client: PlatformClient,
  repository: StatusRepository,
  isAdministrator: boolean,
): Promise<VisibleRepository | null> {
  const bindings = await loadVisible(repository.bindings, (binding) =>
    loadVisibleBinding(client, binding, isAdministrator),
  );
  if (!isAdministrator && bindings.length === 0) return null;
  const maySync = isAdministrator || bindings.some(({ space }) => space?.permissions.triggerGitSync === true);
  const specifications = await loadVisible(repository.specifications, (spec) =>
    loadVisibleSpec(client, spec, maySync),
  );
  const translations = await loadVisible(repository.translations, (translation) =>
    loadVisibleTranslation(client, translation, bindings, isAdministrator),
  );
  return { repository, bindings, specifications, translations, maySync };
}

/** Loads a few items at once, and drops those that are not visible, for which `load` returns null. */
async function loadVisible<Item, Visible>(
  items: readonly Item[],
  load: (item: Item) => Promise<Visible | null>,
): Promise<readonly Visible[]> {
  const visible: Visible[] = [];
  for (let at = 0; at < items.length; at += callsAtOnce) {
    const batch = await Promise.all(items.slice(at, at + callsAtOnce).map(load));
    visible.push(...batch.filter((item) => item !== null));
  }
  return visible;
}

/** Users who may not start a sync see only what the platform shows them, and URLs without their query, which may be secret. */
async function loadVisibleSpec(
  client: PlatformClient,
  spec: StatusSpec,
  maySync: boolean,
): Promise<VisibleSpec | null> {
  const params = { organizationId: spec.organizationId, specSlug: spec.name };
  const live = await nullIfHidden(client.call(operations.getOpenAPISpec, { params }));
  if (live === null) return maySync ? { spec, live, versionAt: null } : null;
  const versions =
    live.lastVersion === undefined
      ? null
      : await nullIfHidden(client.call(operations.listOpenAPISpecVersions, { params, query: { limit: 1 } }));
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
      : await nullIfHidden(
          client.call(operations.getTranslation, { params: { organizationId, translationId } }),
        );
  // Neither in the configuration nor on the platform any more.
  if (live === null && !isNamed) return null;
  const translated = bindings.find(
    ({ binding }) => binding.directory === directory && binding.disconnected === null,
  );
  const source = translated?.space ?? null;
  return live === null && source === null && !isAdministrator ? null : { translation, live, source };
}

/** Null when the platform answers that it has no such thing, or that the user may not see it. */
async function nullIfHidden<T>(answer: Promise<T>): Promise<T | null> {
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
  const nothing = isAdministrator
    ? { binding, space: null, operation: null, liveAt: null, lost: null }
    : null;
  if (binding.spaceId === null) return nothing;
  const params = { spaceId: binding.spaceId };
  const space = await nullIfHidden(client.call(operations.getSpace, { params }));
  if (!space?.permissions.access) return nothing;
  const query = { limit: RECENT_OPERATIONS };
  const found = await nullIfHidden(client.call(operations.listGitOperations, { params, query }));
  const history = found?.items ?? [];
  const liveAt = liveSince(history, {
    revision: space.revision,
    oid: findLiveOperation(history, space.revision)?.commit,
  });
  const lost = history.find((operation) => operation.lost !== undefined)?.lost ?? null;
  return { binding, space, operation: latestSync(history), liveAt, lost };
}
