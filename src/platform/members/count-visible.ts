import { countSpaces, type Db } from '../../store/index.ts';
import type { Membership } from '../access/effective-role.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { type EffectiveRole, toRole } from '../access/roles.ts';

/**
 * Returns a function that counts the spaces that members with a role may see: all of them, or for guests (null) those
 * that are shared with guests.
 */
export async function countVisible(
  db: Db,
  organizationId: string,
  roles: readonly (string | null)[],
): Promise<(role: string | null) => number> {
  const all = await countSpaces(db, organizationId);
  if (roles.every((role) => role !== null)) return () => all;
  const accessMap = await loadAccessMap(db, organizationId, membershipOf(null));
  const shared = (await accessMap.visibleSpaces())?.length ?? all;
  return (role) => (role === null ? shared : all);
}

/** A member's membership without the limit of any token. */
export function membershipOf(role: string | null): Membership {
  const member: EffectiveRole = (role === null ? null : toRole(role)) ?? 'guest';
  return { member, limit: null };
}
