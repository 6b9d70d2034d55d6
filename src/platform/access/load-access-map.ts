import { type Db, loadCollectionLevels, loadSpaceSharing, type SpaceRow } from '../../store/index.ts';
import { effectiveRoleAt, limited, type Membership } from './effective-role.ts';
import { allows, collectionRights, type EffectiveRole, spaceRights } from './roles.ts';

/** The effective roles of one user in all spaces and collections of an organization. */
export interface AccessMap {
  roleInSpace(space: Pick<SpaceRow, 'parentId' | 'visibility' | 'defaultLevel'>): EffectiveRole;
  roleInCollection(collectionId: string): EffectiveRole;
  /** The ids of the spaces that they may see; null when that is all of them. */
  visibleSpaces(): Promise<readonly string[] | null>;
  /** The ids of the deleted spaces that they may restore. */
  restorableSpaces(): Promise<readonly string[]>;
  /** The ids of the collections that they may see; null when that is all of them. */
  visibleCollections(): readonly string[] | null;
}

/** Loads the access map of a user for lists: the same decisions as for a single space or collection, but in one query. */
export async function loadAccessMap(
  db: Db,
  organizationId: string,
  membership: Membership,
): Promise<AccessMap> {
  const isAdmin = membership.member === 'admin';
  const all = isAdmin ? [] : await loadCollectionLevels(db, organizationId);
  const collections = new Map(all.map((collection) => [collection.id, collection]));
  const levels = new Map<string, readonly (string | null)[]>();

  function levelsOf(id: string | null): readonly (string | null)[] {
    const collection = id === null ? undefined : collections.get(id);
    if (id === null || collection === undefined) return [];
    const known = levels.get(id);
    if (known) return known;
    const own = [collection.defaultLevel, ...levelsOf(collection.parentId)];
    levels.set(id, own);
    return own;
  }

  const roleInSpace: AccessMap['roleInSpace'] = ({ parentId, visibility, defaultLevel }) =>
    effectiveRoleAt(membership, { visibility, levels: [defaultLevel, ...levelsOf(parentId)] });
  const roleInCollection: AccessMap['roleInCollection'] = (id) =>
    effectiveRoleAt(membership, { visibility: 'private', levels: levelsOf(id) });
  const seesAll = allows(limited(membership), 'read');

  return {
    roleInSpace,
    roleInCollection,
    async visibleSpaces() {
      if (seesAll) return null;
      const spaces = await loadSpaceSharing(db, organizationId);
      return spaces.filter((space) => allows(roleInSpace(space), spaceRights.view)).map((space) => space.id);
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
  };
}
