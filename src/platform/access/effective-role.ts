import type { Role } from '../../contract/index.ts';
import { type EffectiveRole, higherOf, lowerOf, toRole } from './roles.ts';

/** Who somebody is in an organization, and the most that their token lets them do. */
export interface Membership {
  readonly member: EffectiveRole;
  readonly limit: Role | null;
}

/** What a space or collection says about who may do what in it. */
export interface Sharing {
  /** Of a space; a collection is `private`. */
  readonly visibility: string;
  /** The default levels of the place itself, of the collection that it is in, and so on upward; null inherits. */
  readonly levels: readonly (string | null)[];
}

/**
 * What somebody is in a space or collection: the highest of
 *
 * - their role in the organization,
 * - for members and guests, the place's default level: its own, or else the nearest above it,
 * - `read` in a space that is `in-collection`, for members and guests whom a level of the collection lets in,
 * - `visitor` in a space that is `public` or `unlisted`, for everybody,
 *
 * and never more than their token allows. `share-link` and `visitor-auth` let nobody in here: they are about the
 * published site.
 */
export function effectiveRoleAt(membership: Membership, { visibility, levels }: Sharing): EffectiveRole {
  const shown: EffectiveRole = visibility === 'public' || visibility === 'unlisted' ? 'visitor' : 'none';
  if (membership.member === 'none') return limited({ ...membership, member: shown });
  const level = nearest(levels);
  const isLetIn = visibility === 'in-collection' && nearest(levels.slice(1)) !== 'none';
  const candidates = [shown, level, isLetIn ? 'read' : 'none'] as const;
  return limited({ ...membership, member: candidates.reduce<EffectiveRole>(higherOf, membership.member) });
}

/** The effective role that is left within the limit of the token. */
export function limited({ member, limit }: Membership): EffectiveRole {
  return limit === null ? member : lowerOf(member, limit);
}

function nearest(levels: readonly (string | null)[]): EffectiveRole {
  const level = levels.find((candidate) => candidate !== null);
  return (level == null ? null : toRole(level)) ?? 'none';
}
