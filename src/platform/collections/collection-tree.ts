import { type CollectionLevel, MAX_COLLECTION_DEPTH } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';

type Nested = Pick<CollectionLevel, 'id' | 'parentId'>;

/** The ids of a collection and of all collections inside it, each after its parent. */
export function listNested(all: readonly Nested[], rootId: string): readonly string[] {
  const below = Map.groupBy(all, (collection) => collection.parentId);
  const ids = [rootId];
  // The list grows during the iteration. No id occurs twice, since each has one parent and none is inside itself.
  for (const id of ids) ids.push(...(below.get(id) ?? []).map((collection) => collection.id));
  return ids;
}

/** The nesting depth of a collection: 1 at the top level of the organization, 0 for no collection. */
function depthOf(all: ReadonlyMap<string, Nested>, id: string | null): number {
  let depth = 0;
  for (let at = id; at !== null && depth <= MAX_COLLECTION_DEPTH; depth++) at = all.get(at)?.parentId ?? null;
  return depth;
}

/** Throws a 400 if a collection would be inside itself, or nested too deep. `movedId` is null for a new collection. */
export function checkNesting(all: readonly Nested[], movedId: string | null, parentId: string | null): void {
  const byId = new Map(all.map((collection) => [collection.id, collection]));
  const nested = movedId === null ? [] : listNested(all, movedId);
  if (parentId !== null && nested.includes(parentId)) {
    throw invalid('/body/parent', 'is the collection itself or one inside it');
  }
  const own = movedId === null ? 0 : depthOf(byId, movedId);
  const height = Math.max(1, ...nested.map((id) => depthOf(byId, id) - own + 1));
  if (depthOf(byId, parentId) + height > MAX_COLLECTION_DEPTH) {
    throw invalid(
      '/body/parent',
      `is nested too deep: collections nest at most ${MAX_COLLECTION_DEPTH} levels deep`,
    );
  }
}
