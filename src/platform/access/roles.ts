import { roles } from '../../contract/index.ts';

export type Role = (typeof roles)[number];

/** The role of a member, `guest` for one without a role, and `none` for who is no member. */
export type Standing = Role | 'guest' | 'none';

const order: readonly Standing[] = ['none', 'guest', ...roles.toReversed()];

/** Whether a standing includes what a role allows: each role allows all that the lower ones do. */
export function allows(standing: Standing, needed: Role | 'guest'): boolean {
  return order.indexOf(standing) >= order.indexOf(needed);
}

/** The lower of two standings. */
export function lowerOf(one: Standing, other: Standing): Standing {
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}

export function toRole(value: string): Role | null {
  return roles.find((role) => role === value) ?? null;
}

/** What each right in a space takes. */
export const spaceRights = {
  view: 'read',
  access: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
  triggerGitSync: 'create',
  viewInviteLinks: 'admin',
  installIntegration: 'admin',
  admin: 'admin',
} as const satisfies Record<string, Role>;

/** What each right in an organization takes. A guest sees that it is there, and the spaces shared with them. */
export const organizationRights = {
  view: 'guest',
  admin: 'admin',
  ownTeam: 'admin',
  createContent: 'create',
  createOpenAPISpec: 'create',
  ingestConversations: 'create',
  viewBilling: 'admin',
  listMembers: 'read',
  listTeams: 'read',
  listIntegrations: 'admin',
  listInstallations: 'admin',
  installIntegration: 'admin',
} as const satisfies Record<string, Role | 'guest'>;

export type SpaceRight = keyof typeof spaceRights;
export type OrganizationRight = keyof typeof organizationRights;

/** The `permissions` object of a resource: the truth about what the caller may do. */
export function permissionsOf<Rights extends Readonly<Record<string, Role | 'guest'>>>(
  rights: Rights,
  standing: Standing,
): { [Right in keyof Rights]: boolean } {
  return Object.fromEntries(
    Object.entries(rights).map(([right, needed]) => [right, allows(standing, needed)]),
  ) as { [Right in keyof Rights]: boolean };
}
