import {
  type CollectionLevel,
  type Db,
  type Grant,
  loadCollectionLevels,
  loadGrantsOf,
  loadSpaceGroups,
  loadSpaceSharing,
  type SiteRow,
  type SpaceKind,
  type SpaceSelection,
  type SpaceSharing,
} from '../../store/index.ts';
import { effectiveRoleAt, type Membership } from './effective-role.ts';
import { allows, collectionRights, type EffectiveRole, siteRights, spaceRights } from './roles.ts';

/** What decides who may see a site. */
export type SiteSharing = Pick<SiteRow, 'id' | 'visibility' | 'publishedAt'>;

/** The effective roles of one user in all spaces, collections and sites of an organization. */
export interface AccessMap {
  readonly roleInOrganization: EffectiveRole;
  roleInSpace(space: SpaceSharing): EffectiveRole;
  roleInCollection(collectionId: string): EffectiveRole;
  roleInSite(site: SiteSharing): EffectiveRole;
  /** The spaces that they may see; null when that is all of them. */
  visibleSpaces(): Promise<SpaceSelection | null>;
  /** The spaces whose drafts and history they may see; null when that is all of them. */
  accessibleSpaces(): Promise<SpaceSelection | null>;
  /** The deleted spaces that they may restore. */
  restorableSpaces(): Promise<SpaceSelection>;
  /** The ids of the collections that they may see; null when that is all of them. */
  visibleCollections(): readonly string[] | null;
  /** The ids of the sites that they may see the settings of; null when that is all of them. */
  visibleSites(): readonly string[] | null;
}

/**
 * Loads the access map of a user for lists: the same decisions as for a single space or collection, but in one query for
 * the levels, and one for the grants of those who have any in single places. Which spaces a list may show is a condition
 * on their rows, so that none are read but those that it shows.
 */
export async function loadAccessMap(
  db: Db,
  organizationId: string,
  membership: Membership,
): Promise<AccessMap> {
  const { userId, member, granted } = membership;
  // Levels and grants give nothing to a stranger, and nothing more to an administrator.
  const hasMore = member !== 'none' && member !== 'admin';
  const all = member === 'admin' ? [] : await loadCollectionLevels(db, organizationId);
  const grants =
    hasMore && granted.somewhere
      ? ((await loadGrantsOf(db, organizationId, [userId])).get(userId) ?? [])
      : [];
  const upwardOf = upwardIn(all);
  const grantsAt = Map.groupBy(
    grants,
    ({ spaceId, collectionId, siteId }) => spaceId ?? collectionId ?? siteId,
  );

  function grantsIn(ids: readonly string[]): readonly Grant[] {
    return grantsAt.size === 0 ? [] : ids.flatMap((id) => grantsAt.get(id) ?? []);
  }

  const roleInSpace: AccessMap['roleInSpace'] = (space) => {
    const collections = upwardOf(space.parentId);
    const ids = [space.id, ...collections.map(({ id }) => id)];
    return effectiveRoleAt(membership, { space, collections, grants: grantsIn(ids) });
  };
  const roleInCollection: AccessMap['roleInCollection'] = (id) => {
    const collections = upwardOf(id);
    const ids = collections.map((collection) => collection.id);
    return effectiveRoleAt(membership, { space: null, collections, grants: grantsIn(ids) });
  };
  const roleInSite: AccessMap['roleInSite'] = (site) =>
    effectiveRoleAt(membership, { space: null, collections: [], site, grants: grantsIn([site.id]) });
  /**
   * The spaces in which the role is as high as needed. It is decided once for each group of spaces that share what decides
   * it, and for each space in which something is granted: an organization may have very many spaces.
   */
  async function selectSpaces(needed: EffectiveRole, kind: SpaceKind = 'live'): Promise<SpaceSelection> {
    const granted = grants.flatMap(({ spaceId }) => spaceId ?? []);
    const [groups, singles] = await Promise.all([
      loadSpaceGroups(db, organizationId, kind),
      loadSpaceSharing(db, organizationId, granted, kind),
    ]);
    return {
      groups: groups.filter((group) => allows(roleInSpace({ ...group, id: '' }), needed)),
      ids: singles.filter((space) => allows(roleInSpace(space), needed)).map(({ id }) => id),
    };
  }
  const roleInOrganization = effectiveRoleAt(membership);
  const seesAll = allows(roleInOrganization, 'read');

  return {
    roleInOrganization,
    roleInSpace,
    roleInCollection,
    roleInSite,
    visibleSpaces: async () => (seesAll ? null : await selectSpaces(spaceRights.view)),
    accessibleSpaces: async () => (seesAll ? null : await selectSpaces(spaceRights.access)),
    restorableSpaces: async () => await selectSpaces(spaceRights.admin, 'restorable'),
    visibleCollections() {
      if (seesAll) return null;
      return all
        .filter((collection) => allows(roleInCollection(collection.id), collectionRights.view))
        .map((collection) => collection.id);
    },
    visibleSites() {
      if (seesAll) return null;
      const draft = { visibility: '', publishedAt: null };
      return grants.flatMap(({ siteId }) =>
        siteId !== null && allows(roleInSite({ id: siteId, ...draft }), siteRights.access) ? [siteId] : [],
      );
    },
  };
}

/** Returns a function that lists a collection and those above it. */
export function upwardIn(all: readonly CollectionLevel[]): (id: string | null) => readonly CollectionLevel[] {
  const collections = new Map(all.map((collection) => [collection.id, collection]));
  const known = new Map<string, readonly CollectionLevel[]>();
  return function upwardOf(id: string | null): readonly CollectionLevel[] {
    const collection = id === null ? undefined : collections.get(id);
    if (id === null || collection === undefined) return [];
    const found: readonly CollectionLevel[] = known.get(id) ?? [collection, ...upwardOf(collection.parentId)];
    known.set(id, found);
    return found;
  };
}
