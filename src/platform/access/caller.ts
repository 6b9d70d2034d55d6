import type { Role } from '../../contract/index.ts';
import type { AuditActor, TokenOwner } from '../../store/index.ts';
import { limited, type Membership } from './effective-role.ts';
import { type EffectiveRole, toRole } from './roles.ts';

/** Where a request comes from, for the audit log. */
export interface RequestOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

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
  /** The same person for the audit log. */
  readonly actor: AuditActor;
  /** Whether the caller is a member of the organization, which takes only its own single sign-on that they have not passed. */
  needsSso(organizationId: string): boolean;
  roleIn(organizationId: string): EffectiveRole;
  /** For spaces and collections, whose sharing can allow more than the role does; see `effectiveRoleAt`. */
  membershipIn(organizationId: string): Membership;
}

export function toCaller(owner: TokenOwner, origin: RequestOrigin): Caller {
  const memberships = owner.memberships.filter(
    ({ organizationId }) => owner.organizationId === null || owner.organizationId === organizationId,
  );
  const limit = owner.role === null ? null : toRole(owner.role);
  const lacking = new Set(
    memberships.filter(({ needsSso }) => needsSso).map(({ organizationId }) => organizationId),
  );
  const open = memberships.filter(({ needsSso }) => !needsSso);
  const effectiveRoles = new Map<string, EffectiveRole>(
    open.map(({ organizationId, role }) => [
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
    actor: {
      kind: 'user',
      id: owner.userId,
      name: owner.displayName,
      tokenId: owner.tokenId,
      sessionId: owner.sessionId,
      ...origin,
    },
    needsSso: (organizationId) => lacking.has(organizationId),
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
  actor: { kind: 'nobody', id: null, name: null },
  needsSso: () => false,
  roleIn: () => 'none',
  membershipIn: () => ({ member: 'none', limit: null }),
};
