import { type Role, roles } from '../../contract/index.ts';

/**
 * What somebody may do in a space, collection or organization, as a role: `guest` for a member without one, `none` for who is no member. A `visitor` is
 * not of the organization, or is a guest there, and reads what a space shows to everybody.
 */
export type EffectiveRole = Role | 'visitor' | 'guest' | 'none';

const order: readonly EffectiveRole[] = ['none', 'guest', 'visitor', ...roles.toReversed()];

/** Whether an effective role includes what a role allows: each role allows all that the lower ones do. */
export function allows(effectiveRole: EffectiveRole, needed: EffectiveRole): boolean {
  return order.indexOf(effectiveRole) >= order.indexOf(needed);
}

/** The lower of two effective roles. */
export function lowerOf(a: EffectiveRole, b: EffectiveRole): EffectiveRole {
  return order.indexOf(a) <= order.indexOf(b) ? a : b;
}

export function toRole(value: string): Role | null {
  return roles.find((role) => role === value) ?? null;
}

/** The higher of two effective roles. */
export function higherOf(a: EffectiveRole, b: EffectiveRole): EffectiveRole {
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}

/** What each right in a space takes: `view` is what readers see, `access` also how it comes about. */
export const spaceRights = {
  view: 'visitor',
  access: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
  triggerGitSync: 'create',
  viewInviteLinks: 'admin',
  installIntegration: 'admin',
  admin: 'admin',
} as const satisfies Record<string, EffectiveRole>;

/** What each right in a collection takes. */
export const collectionRights = {
  view: 'read',
  create: 'create',
  viewInviteLinks: 'admin',
  admin: 'admin',
} as const satisfies Record<string, EffectiveRole>;

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
} as const satisfies Record<string, EffectiveRole>;

/** What each right in an OpenAPI specification takes; a public one may be viewed by everybody. */
export const openApiRights = { view: 'read', edit: 'create' } as const satisfies Record<
  string,
  EffectiveRole
>;

/** What each right in a translation takes in its organization; who sees the source may view it. */
export const translationRights = { view: 'guest', edit: 'create' } as const satisfies Record<
  string,
  EffectiveRole
>;

export type OpenApiRight = keyof typeof openApiRights;
export type SpaceRight = keyof typeof spaceRights;
export type CollectionRight = keyof typeof collectionRights;
export type OrganizationRight = keyof typeof organizationRights;

/** The `permissions` object of a resource: the truth about what the caller may do. */
export function permissionsOf<Rights extends Readonly<Record<string, EffectiveRole>>>(
  rights: Rights,
  effectiveRole: EffectiveRole,
): { [Right in keyof Rights]: boolean } {
  return Object.fromEntries(
    Object.entries(rights).map(([right, needed]) => [right, allows(effectiveRole, needed)]),
  ) as { [Right in keyof Rights]: boolean };
}
