import {
  type CollectionLevel,
  type Db,
  type Grant,
  loadCollectionLevels,
  loadGrantsOf,
  loadSpaceSharing,
  type SiteRow,
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
  /** The ids of the spaces that they may see; null when that is all of them. */
  visibleSpaces(): Promise<readonly string[] | null>;
  /** The ids of the spaces whose drafts and history they may see; null when that is all of them. */
  accessibleSpaces(): Promise<readonly string[] | null>;
  /** The ids of the deleted spaces that they may restore. */
  restorableSpaces(): Promise<readonly string[]>;
  /** The ids of the collections that they may see; null when that is all of them. */
  visibleCollections(): readonly string[] | null;
  /** The ids of the sites that they may see the settings of; null when that is all of them. */
  visibleSites(): readonly string[] | null;
}

/**
 * Loads the access map of a user for lists: the same decisions as for a single space or collection, but in one query for
 * the levels, and one for the grants of those who have any in single places.
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
  const roleInOrganization = effectiveRoleAt(membership);
  const seesAll = allows(roleInOrganization, 'read');

  return {
    roleInOrganization,
    roleInSpace,
    roleInCollection,
    roleInSite,
    async visibleSpaces() {
      if (seesAll) return null;
      const spaces = await loadSpaceSharing(db, organizationId);
      return spaces.filter((space) => allows(roleInSpace(space), spaceRights.view)).map((space) => space.id);
    },
    async accessibleSpaces() {
      if (seesAll) return null;
      const spaces = await loadSpaceSharing(db, organizationId);
      return spaces
        .filter((space) => allows(roleInSpace(space), spaceRights.access))
        .map((space) => space.id);
    },
    async restorableSpaces() {
      const spaces = await loadSpaceSharing(db, organizationId, 'restorable');
      return spaces.filter((space) => allows(roleInSpace(space), spaceRights.admin)).map((space) => space.id);
    },
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
