import type { Role } from '../../contract/index.ts';
import type { AuditActor, OpenMembership, RequestOrigin, TokenOwner } from '../../store/index.ts';
import { effectiveRoleAt, type Membership, strangerWith } from './effective-role.ts';
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
  /** Those that it will give access to once the caller has passed their single sign-on. */
  readonly ssoOrganizationIds: readonly string[];
  /** Whether the token is bound to a single organization. */
  readonly bound: boolean;
  /** The highest role that the token allows; null for no limit beyond the user's own role. */
  readonly limit: Role | null;
  /** The limits of the credentials themselves, which whatever they create has, too. */
  readonly credentials: {
    /** The only organization that they open; null for all. */
    readonly organizationId: string | null;
    readonly expiresAt: Date | null;
    /** The provider at which they passed single sign-on; whatever they create passes it as long as it is there. */
    readonly ssoProviderId: string | null;
    /** Its organization. */
    readonly ssoOrganizationId: string | null;
  };
  /** The same person for the audit log. */
  readonly actor: AuditActor;
  /** Whether the caller is a member of the organization, which takes only its own single sign-on that they have not passed. */
  needsSso(organizationId: string): boolean;
  roleIn(organizationId: string): EffectiveRole;
  /** For spaces and collections, whose sharing can allow more than the role does; see `effectiveRoleAt`. */
  membershipIn(organizationId: string): Membership;
  /** Tells that they use the organization; of people in a browser it is recorded, at most once an hour, and after this. */
  noteSeen(organizationId: string): void;
  /** The membership that they will have once they have passed the single sign-on; the same where it is not missing. */
  membershipAfterSso(organizationId: string): Membership;
}

export function toCaller(
  owner: TokenOwner,
  origin: RequestOrigin,
  recordSeen?: (organizationId: string) => void,
): Caller {
  const memberships = new Map(
    owner.memberships
      .filter(
        ({ organizationId }) => owner.organizationId === null || owner.organizationId === organizationId,
      )
      .map((membership) => [membership.organizationId, membership]),
  );
  const limit = owner.role === null ? null : toRole(owner.role);
  const seen = new Set<string>();
  const idsWhere = (needsSso: boolean) =>
    [...memberships.values()]
      .filter((membership) => membership.needsSso === needsSso)
      .map(({ organizationId }) => organizationId);
  const membershipAfterSso = (organizationId: string) => {
    const found = memberships.get(organizationId);
    return found === undefined ? strangerWith(limit, owner.userId) : toMembership(found, owner.userId, limit);
  };
  const needsSso = (organizationId: string) => memberships.get(organizationId)?.needsSso === true;
  const membershipIn = (organizationId: string) =>
    needsSso(organizationId) ? strangerWith(limit, owner.userId) : membershipAfterSso(organizationId);
  return {
    user: { id: owner.userId, displayName: owner.displayName, email: owner.email },
    organizationIds: idsWhere(false),
    ssoOrganizationIds: idsWhere(true),
    bound: owner.organizationId !== null,
    limit,
    credentials: {
      organizationId: owner.organizationId,
      expiresAt: owner.expiresAt,
      ssoProviderId: owner.ssoProviderId,
      // A recovery code lets an administrator in where the provider fails: nothing that it makes passes for it later.
      ssoOrganizationId: owner.ssoProviderId === null ? null : owner.ssoOrganizationId,
    },
    actor: {
      ...(owner.isServer
        ? { kind: 'server', id: null, name: 'the GitHub App' }
        : { kind: 'user', id: owner.userId, name: owner.displayName }),
      tokenId: owner.tokenId,
      sessionId: owner.sessionId,
      ...origin,
    },
    needsSso,
    roleIn: (organizationId) => effectiveRoleAt(membershipIn(organizationId)),
    membershipIn,
    membershipAfterSso,
    noteSeen(organizationId) {
      const found = memberships.get(organizationId);
      // What a program does with a token says nothing about where its owner is.
      if (owner.sessionId === null || found === undefined || found.needsSso || seen.has(organizationId))
        return;
      seen.add(organizationId);
      if (!found.wasJustSeen) recordSeen?.(organizationId);
    },
  };
}

function toMembership(
  { role, granted }: Pick<OpenMembership, 'role' | 'granted'>,
  userId: string,
  limit: Role | null,
): Membership {
  return { userId, member: (role === null ? null : toRole(role)) ?? 'guest', granted, limit };
}

/** The caller of a request without a token, for operations that are open to everybody. */
export const nobody: Caller = {
  user: { id: '', displayName: '', email: '' },
  organizationIds: [],
  ssoOrganizationIds: [],
  bound: true,
  limit: null,
  credentials: { organizationId: null, expiresAt: null, ssoProviderId: null, ssoOrganizationId: null },
  actor: { kind: 'nobody', id: null, name: null },
  needsSso: () => false,
  roleIn: () => 'none',
  membershipIn: () => strangerWith(null),
  membershipAfterSso: () => strangerWith(null),
  noteSeen: () => {},
};
