import type { Role } from '../../contract/index.ts';
import type { TokenOwner } from '../../store/index.ts';
import { limited, type Membership } from './effective-role.ts';
import { type EffectiveRole, toRole } from './roles.ts';

/** Who makes a request, by their token. */
export interface Caller {
  readonly user: {
    readonly id: string;
    readonly displayName: string;
    readonly email: string;
  };
  /** The organizations that the token gives access to. */
  readonly organizationIds: readonly string[];
  /** Whether the token is bound to a single organization. */
  readonly bound: boolean;
  /** The highest role that the token allows; null for no limit beyond the user's own role. */
  readonly limit: Role | null;
  roleIn(organizationId: string): EffectiveRole;
  /** For spaces and collections, whose sharing can allow more than the role does; see `effectiveRoleAt`. */
  membershipIn(organizationId: string): Membership;
}

export function toCaller(owner: TokenOwner): Caller {
  const memberships = owner.memberships.filter(
    ({ organizationId }) => owner.organizationId === null || owner.organizationId === organizationId,
  );
  const limit = owner.role === null ? null : toRole(owner.role);
  const effectiveRoles = new Map<string, EffectiveRole>(
    memberships.map(({ organizationId, role }) => [
      organizationId,
      (role === null ? null : toRole(role)) ?? 'guest',
    ]),
  );
  const membershipIn = (organizationId: string) => ({
    member: effectiveRoles.get(organizationId) ?? 'none',
    limit,
  });
  return {
    user: { id: owner.userId, displayName: owner.displayName, email: owner.email },
    organizationIds: [...effectiveRoles.keys()],
    bound: owner.organizationId !== null,
    limit,
    roleIn: (organizationId) => limited(membershipIn(organizationId)),
    membershipIn,
  };
}

/** The caller of a request without a token, for operations that are open to everybody. */
export const nobody: Caller = {
  user: { id: '', displayName: '', email: '' },
  organizationIds: [],
  bound: true,
  limit: null,
  roleIn: () => 'none',
  membershipIn: () => ({ member: 'none', limit: null }),
};
