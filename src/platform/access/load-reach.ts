import {
  countSpaces,
  type Db,
  type Grant,
  loadCollectionLevels,
  loadSpaceGroups,
  loadSpaceSharing,
  type SpaceGroup,
} from '../../store/index.ts';
import { effectiveRoleAt, type Membership, strangerWith } from './effective-role.ts';
import { upwardIn } from './load-access-map.ts';
import { allows, spaceRights } from './roles.ts';

/** How many spaces of an organization somebody may see, for many people or teams at once. */
export interface Reach {
  readonly total: number;
  /** What is visible to everybody. */
  countPublic(): number;
  /** What guests see, with what these grants add. */
  countForGuests(grants: readonly Grant[]): number;
  /** The spaces that these grants alone open. */
  countGranted(grants: readonly Grant[]): number;
}

/**
 * Loads what the counts need. With `onlyTotal`, for people who see everything, the other counts are the total, too.
 * `granted` has the grants with which it will be asked.
 */
export async function loadReach(
  db: Db,
  organizationId: string,
  { onlyTotal, granted }: { readonly onlyTotal: boolean; readonly granted: readonly Grant[] },
): Promise<Reach> {
  if (onlyTotal) {
    const total = await countSpaces(db, organizationId);
    const all = () => total;
    return { total, countPublic: all, countForGuests: all, countGranted: all };
  }
  const singleIds = [...new Set(granted.flatMap(({ spaceId }) => spaceId ?? []))];
  const [groups, levels, singles] = await Promise.all([
    loadSpaceGroups(db, organizationId),
    loadCollectionLevels(db, organizationId),
    loadSpaceSharing(db, organizationId, singleIds),
  ]);
  const upwardOf = upwardIn(levels);
  const counts = new Map(groups.map((group) => [keyOf(group), group.count]));
  const groupOf = new Map(singles.map((space) => [space.id, keyOf(space)]));
  const visibleTo = (membership: Membership) =>
    new Set(
      groups
        .filter((group) => {
          const collections = upwardOf(group.parentId);
          const role = effectiveRoleAt(membership, { space: { ...group, id: '' }, collections, grants: [] });
          return allows(role, spaceRights.view);
        })
        .map(keyOf),
    );
  const stranger = strangerWith(null);
  const toEverybody = visibleTo(stranger);
  const toGuests = visibleTo({ ...stranger, member: 'guest' });
  const total = sum(counts.keys());
  /** By collection: the groups that a grant there opens. */
  const below = new Map<string, string[]>();
  for (const group of groups) {
    for (const { id } of upwardOf(group.parentId)) {
      const keys = below.get(id) ?? [];
      keys.push(keyOf(group));
      below.set(id, keys);
    }
  }

  function sum(keys: Iterable<string>): number {
    let spaces = 0;
    for (const key of keys) spaces += counts.get(key) ?? 0;
    return spaces;
  }

  function countWith(open: ReadonlySet<string>, grants: readonly Grant[]): number {
    const isEverywhere = (grant: Grant) =>
      grant.spaceId === null && grant.collectionId === null && grant.siteId === null;
    if (grants.some(isEverywhere)) return total;
    const opened = new Set(open);
    for (const { collectionId } of grants)
      for (const key of below.get(collectionId ?? '') ?? []) opened.add(key);
    const single = new Set(grants.flatMap(({ spaceId }) => spaceId ?? []));
    const isClosed = (id: string) => {
      const group = groupOf.get(id);
      return group !== undefined && !opened.has(group);
    };
    return sum(opened) + [...single].filter(isClosed).length;
  }

  return {
    total,
    countPublic: () => sum(toEverybody),
    countForGuests: (grants) => countWith(toGuests, grants),
    countGranted: (grants) => countWith(new Set(), grants),
  };
}

function keyOf({ parentId, visibility, defaultLevel }: SpaceGroup): string {
  return JSON.stringify([parentId, visibility, defaultLevel]);
}
