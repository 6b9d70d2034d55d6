import type { Role } from '../../contract/index.ts';
import { type EffectiveRole, higherOf, lowerOf, toRole } from './roles.ts';

/** A user's role in an organization, and the limit of their token. */
export interface Membership {
  readonly member: EffectiveRole;
  readonly limit: Role | null;
}

/** Who may do what in a space or collection. */
export interface Sharing {
  /** Of a space; a collection is `private`. */
  readonly visibility: string;
  /** The default levels of the space or collection itself, of its collection, and so on upward; null inherits. */
  readonly levels: readonly (string | null)[];
}

/**
 * The effective role in a space or collection: the highest of
 *
 * - the role in the organization,
 * - for members and guests, the default level: its own, or else the nearest above it,
 * - `read` in a space that is `in-collection`, for members and guests who have access to the collection by its level,
 * - `visitor` in a space that is `public` or `unlisted`, for everybody,
 *
 * and never more than the token allows. `share-link` and `visitor-auth` grant nothing here: they concern the published
 * site.
 */
export function effectiveRoleAt(membership: Membership, { visibility, levels }: Sharing): EffectiveRole {
  const visitor: EffectiveRole = visibility === 'public' || visibility === 'unlisted' ? 'visitor' : 'none';
  if (membership.member === 'none') return limited({ ...membership, member: visitor });
  const level = nearestLevel(levels);
  const hasCollectionAccess = visibility === 'in-collection' && nearestLevel(levels.slice(1)) !== 'none';
  const candidates = [visitor, level, hasCollectionAccess ? 'read' : 'none'] as const;
  return limited({ ...membership, member: candidates.reduce<EffectiveRole>(higherOf, membership.member) });
}

/** The effective role within the limit of the token. */
export function limited({ member, limit }: Membership): EffectiveRole {
  return limit === null ? member : lowerOf(member, limit);
}

function nearestLevel(levels: readonly (string | null)[]): EffectiveRole {
  const level = levels.find((candidate) => candidate !== null);
  return (level == null ? null : toRole(level)) ?? 'none';
}
