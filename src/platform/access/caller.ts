import type { Role } from '../../contract/index.ts';
import type { TokenOwner } from '../../store/index.ts';
import { limited, type Membership } from './effective-role.ts';
import { type EffectiveRole, toRole } from './roles.ts';

/** Who asks, as their token says. */
export interface Caller {
  readonly user: {
    readonly id: string;
    readonly displayName: string;
    readonly email: string;
  };
  /** The organizations that the token opens. */
  readonly organizationIds: readonly string[];
  /** Whether the token opens one organization only. */
  readonly bound: boolean;
  /** The most that the token lets its bearer do; null for all that they may. */
  readonly limit: Role | null;
  roleIn(organizationId: string): EffectiveRole;
  /** For what is in an organization, where a place can give more than the role does; see `standingAt`. */
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

/** Stands for a request without a token, where an operation is open to all. */
export const nobody: Caller = {
  user: { id: '', displayName: '', email: '' },
  organizationIds: [],
  bound: true,
  limit: null,
  roleIn: () => 'none',
  membershipIn: () => ({ member: 'none', limit: null }),
};
