import { type Role, roles } from '../../contract/index.ts';

/**
 * What a user may do in a space, collection or organization, as a role: `guest` for a member without a role, `none` for
 * a user who is not a member. A `visitor` is not a member of the organization, or is a guest there, and reads what a
 * space shows to everybody.
 */
export type EffectiveRole = Role | 'visitor' | 'guest' | 'none';

const order: readonly EffectiveRole[] = ['none', 'guest', 'visitor', ...roles.toReversed()];

/** Whether an effective role includes a role: each role allows everything that the lower ones allow. */
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

/** The role that each right in a space requires: `view` is for what readers see, `access` also for drafts and history. */
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

/** The role that each right in a collection requires. */
export const collectionRights = {
  view: 'read',
  create: 'create',
  viewInviteLinks: 'admin',
  admin: 'admin',
} as const satisfies Record<string, EffectiveRole>;

/**
 * The role that each right in a site requires: `view` is for what readers of the published site see, `edit` for what they
 * read there, and `admin` for who they are.
 */
export const siteRights = {
  view: 'visitor',
  access: 'read',
  edit: 'create',
  admin: 'admin',
} as const satisfies Record<string, EffectiveRole>;

/** The role that each right in an organization requires. A guest sees the organization and the spaces shared with them. */
export const organizationRights = {
  view: 'guest',
  admin: 'admin',
  ownTeam: 'admin',
  createContent: 'create',
  createOpenAPISpec: 'create',
  viewConversations: 'edit',
  ingestConversations: 'create',
  viewBilling: 'admin',
  listMembers: 'read',
  listTeams: 'read',
  listIntegrations: 'admin',
  listInstallations: 'admin',
  installIntegration: 'admin',
} as const satisfies Record<string, EffectiveRole>;

/** The role that each right in an OpenAPI specification requires; a public one may be viewed by everybody. */
export const openApiRights = { view: 'read', edit: 'create' } as const satisfies Record<
  string,
  EffectiveRole
>;

/** The role in the organization that each right in a translation requires; whoever sees the source may view it. */
export const translationRights = { view: 'guest', edit: 'create' } as const satisfies Record<
  string,
  EffectiveRole
>;

/** The role that each right in a team requires; see `effectiveRoleInTeam`. */
export const teamRights = { view: 'read', admin: 'admin' } as const satisfies Record<string, EffectiveRole>;

export type OpenApiRight = keyof typeof openApiRights;
export type TeamRight = keyof typeof teamRights;
export type SpaceRight = keyof typeof spaceRights;
export type CollectionRight = keyof typeof collectionRights;
export type SiteRight = keyof typeof siteRights;
export type OrganizationRight = keyof typeof organizationRights;

/** The `permissions` object of a resource: what the caller may really do. */
export function permissionsOf<Rights extends Readonly<Record<string, EffectiveRole>>>(
  rights: Rights,
  effectiveRole: EffectiveRole,
): { [Right in keyof Rights]: boolean } {
  return Object.fromEntries(
    Object.entries(rights).map(([right, needed]) => [right, allows(effectiveRole, needed)]),
  ) as { [Right in keyof Rights]: boolean };
}

/** What a caller is in a space or collection, and in its organization. */
export interface Standing {
  readonly role: EffectiveRole;
  readonly inOrganization: EffectiveRole;
}

/** The `permissions` of a space or collection. People join an organization by links, so only there somebody sees them. */
export function permissionsAt<Rights extends typeof spaceRights | typeof collectionRights>(
  rights: Rights,
  { role, inOrganization }: Standing,
): { [Right in keyof Rights]: boolean } {
  return {
    ...permissionsOf(rights, role),
    viewInviteLinks: allows(inOrganization, organizationRights.admin),
  };
}
