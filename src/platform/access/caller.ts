import type { TokenOwner } from '../../store/tokens.ts';
import { lowerOf, type Standing, toRole } from './roles.ts';

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
  standingIn(organizationId: string): Standing;
}

export function toCaller(owner: TokenOwner): Caller {
  const memberships = owner.memberships.filter(
    ({ organizationId }) => owner.organizationId === null || owner.organizationId === organizationId,
  );
  const standings = new Map(
    memberships.map(({ organizationId, role }) => [organizationId, standingOf(role, owner.role)]),
  );
  return {
    user: { id: owner.userId, displayName: owner.displayName, email: owner.email },
    organizationIds: [...standings.keys()],
    bound: owner.organizationId !== null,
    standingIn: (organizationId) => standings.get(organizationId) ?? 'none',
  };
}

function standingOf(memberRole: string | null, tokenRole: string | null): Standing {
  const member: Standing = (memberRole === null ? null : toRole(memberRole)) ?? 'guest';
  const limit = tokenRole === null ? null : toRole(tokenRole);
  return limit === null ? member : lowerOf(member, limit);
}

/** Stands for a request without a token, where an operation is open to all. */
export const nobody: Caller = {
  user: { id: '', displayName: '', email: '' },
  organizationIds: [],
  bound: true,
  standingIn: () => 'none',
};
