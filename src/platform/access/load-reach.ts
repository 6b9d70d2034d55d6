import {
  countSpaces,
  type Db,
  type Grant,
  loadCollectionLevels,
  loadSpaceSharing,
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

/** Loads what the counts need. With `onlyTotal`, for people who see everything, the other counts are the total, too. */
export async function loadReach(
  db: Db,
  organizationId: string,
  { onlyTotal }: { readonly onlyTotal: boolean },
): Promise<Reach> {
  if (onlyTotal) {
    const total = await countSpaces(db, organizationId);
    const all = () => total;
    return { total, countPublic: all, countForGuests: all, countGranted: all };
  }
  const spaces = await loadSpaceSharing(db, organizationId);
  const upwardOf = upwardIn(await loadCollectionLevels(db, organizationId));
  const shared = spaces.map((space) => ({ space, collections: upwardOf(space.parentId), grants: [] }));
  const visibleTo = (membership: Membership) =>
    new Set(
      shared
        .filter((sharing) => allows(effectiveRoleAt(membership, sharing), spaceRights.view))
        .map(({ space }) => space.id),
    );
  const stranger = strangerWith(null);
  const toEverybody = visibleTo(stranger);
  const toGuests = visibleTo({ ...stranger, member: 'guest' });
  /** By space and collection: the spaces that a grant there opens. */
  const below = new Map<string, string[]>();
  for (const { space, collections } of shared) {
    for (const { id } of [space, ...collections]) {
      const ids = below.get(id) ?? [];
      ids.push(space.id);
      below.set(id, ids);
    }
  }

  function countWith(open: ReadonlySet<string>, grants: readonly Grant[]): number {
    const isEverywhere = (grant: Grant) =>
      grant.spaceId === null && grant.collectionId === null && grant.siteId === null;
    if (grants.some(isEverywhere)) return spaces.length;
    const ids = grants.flatMap(({ spaceId, collectionId }) => below.get(spaceId ?? collectionId ?? '') ?? []);
    return open.size + new Set(ids.filter((id) => !open.has(id))).size;
  }

  return {
    total: spaces.length,
    countPublic: () => toEverybody.size,
    countForGuests: (grants) => countWith(toGuests, grants),
    countGranted: (grants) => countWith(new Set(), grants),
  };
}
