import type { Role, RoleSourceType } from '../../contract/index.ts';
import type { CollectionLevel, Grant } from '../../store/index.ts';
import { type EffectiveRole, higherOf, lowerOf, toRole } from './roles.ts';

/** What somebody is in an organization, and the limit of their token. */
export interface Membership {
  readonly userId: string;
  /** `guest` for a member without a role, `none` for somebody who is no member. */
  readonly member: EffectiveRole;
  readonly granted: {
    /** In the whole organization. */
    readonly everywhere: readonly Grant[];
    /** Whether anything was granted in single spaces, collections or sites. */
    readonly somewhere: boolean;
  };
  readonly limit: Role | null;
}

/** Who may do what in a space, a collection or a site. */
export interface Sharing {
  /** The space; null for a collection or a site. */
  readonly space: {
    readonly id: string;
    readonly visibility: string;
    readonly defaultLevel: string | null;
  } | null;
  /** The collection itself or the space's, and so on upward. */
  readonly collections: readonly CollectionLevel[];
  readonly site?: { readonly visibility: string; readonly publishedAt: Date | null };
  /** What the member was granted in any of these. */
  readonly grants: readonly Grant[];
}

/** A role, and where somebody has it from. */
export interface RoleSource {
  readonly type: RoleSourceType;
  readonly role: EffectiveRole;
  readonly grant?: Grant;
  /** Of a default level: the space or collection whose level it is. */
  readonly levelOf?: string;
}

/** The membership of somebody who is no member, or may not use that they are one. */
export function strangerWith(limit: Role | null, userId = ''): Membership {
  return { userId, member: 'none', granted: { everywhere: [], somewhere: false }, limit };
}

/**
 * Every role that somebody has in a space, a collection, a site or (without `sharing`) an organization, in the order of
 * `roleSources`, which says what each is. `share-link` and `visitor-auth` give none here: they concern the published
 * site.
 */
export function listRoleSources(membership: Membership, sharing?: Sharing): readonly RoleSource[] {
  const { member, granted } = membership;
  const { space = null, collections = [], site, grants = [] } = sharing ?? {};
  const sources: RoleSource[] = [];
  if (member !== 'none') {
    sources.push({ type: 'member', role: member });
    for (const grant of [...granted.everywhere, ...grants]) {
      const role = toRole(grant.role);
      if (role !== null) sources.push({ type: 'grant', role, grant });
    }
    const level = nearestLevel(space === null ? collections : [space, ...collections]);
    if (level !== null) sources.push(level);
    if (space?.visibility === 'in-collection' && nearestLevel(collections) !== null)
      sources.push({ type: 'in-collection', role: 'read' });
  }
  const visibility = site === undefined || site.publishedAt === null ? space?.visibility : site.visibility;
  if (visibility === 'public' || visibility === 'unlisted')
    sources.push({ type: 'visibility', role: 'visitor' });
  return sources;
}

/** The effective role: the highest of `listRoleSources`, and never more than the token allows. */
export function effectiveRoleAt(membership: Membership, sharing?: Sharing): EffectiveRole {
  return limited(highestOf(listRoleSources(membership, sharing)), membership.limit);
}

export function highestOf(sources: readonly RoleSource[]): EffectiveRole {
  return sources.reduce<EffectiveRole>((highest, { role }) => higherOf(highest, role), 'none');
}

function limited(role: EffectiveRole, limit: Role | null): EffectiveRole {
  return limit === null ? role : lowerOf(role, limit);
}

/** The nearest level that is set. One that is no role gives nothing, and hides those above it. */
function nearestLevel(
  upward: readonly { readonly id: string; readonly defaultLevel: string | null }[],
): RoleSource | null {
  const found = upward.find(({ defaultLevel }) => defaultLevel !== null);
  const role = found?.defaultLevel == null ? null : toRole(found.defaultLevel);
  return found === undefined || role === null ? null : { type: 'default-level', role, levelOf: found.id };
}
