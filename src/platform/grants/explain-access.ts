import type { MemberAccess } from '../../contract/index.ts';
import {
  type Db,
  findTeams,
  loadSharing,
  loadSiteGrants,
  type MemberView,
  type OrganizationRow,
  type SiteRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { effectiveRoleAt, highestOf, listRoleSources, type Sharing } from '../access/effective-role.ts';
import { loadMembership } from '../members/load-membership.ts';

/** The space, collection or site that is asked about. */
export interface SharedPlace {
  readonly space: Sharing['space'];
  readonly collectionId: string | null;
  readonly site?: SiteRow;
}

/** Explains the role of a member in the organization, or in a space, collection or site of it. */
export async function explainAccess(
  db: Db,
  caller: Caller,
  {
    organization,
    view: { member },
    place,
  }: {
    readonly organization: OrganizationRow;
    readonly view: MemberView;
    readonly place: SharedPlace | null;
  },
): Promise<MemberAccess> {
  const { id: organizationId } = organization;
  const limit = member.userId === caller.user.id ? caller.limit : null;
  const membership = { ...(await loadMembership(db, member)), limit };
  const sharing = place === null ? undefined : await loadPlace(db, organizationId, place, member.userId);
  const sources = listRoleSources(membership, sharing);
  const winner = sources.find(({ role }) => role === highestOf(sources));
  const teams = await findTeams(
    db,
    organizationId,
    sources.flatMap(({ grant }) => grant?.teamId ?? []),
  );
  return {
    object: 'member-access',
    member: member.userId,
    role: effectiveRoleAt(membership, sharing),
    sources: sources.map((source) => {
      const { type, role, grant, levelOf } = source;
      const levelPlace = levelOf === place?.space?.id ? { space: levelOf } : { collection: levelOf };
      const title = grant?.teamId == null ? undefined : teams.get(grant.teamId);
      return {
        type,
        role,
        wins: source === winner,
        ...(levelOf === undefined ? {} : levelPlace),
        ...(grant?.spaceId == null ? {} : { space: grant.spaceId }),
        ...(grant?.collectionId == null ? {} : { collection: grant.collectionId }),
        ...(grant?.siteId == null ? {} : { site: grant.siteId }),
        ...(grant?.teamId == null || title === undefined ? {} : { team: { id: grant.teamId, title } }),
      } as MemberAccess['sources'][number];
    }),
    caps: [
      ...(member.disabledAt === null ? [] : [{ type: 'disabled' as const }]),
      ...(organization.sso || member.sso ? [{ type: 'sso' as const }] : []),
      ...(limit === null ? [] : [{ type: 'token' as const, role: limit }]),
    ],
  };
}

async function loadPlace(
  db: Db,
  organizationId: string,
  { space, collectionId, site }: SharedPlace,
  userId: string,
): Promise<Sharing> {
  if (site !== undefined) {
    const granted = await loadSiteGrants(db, organizationId, site.id, userId);
    return { space: null, collections: [], site, grants: granted };
  }
  const at = { organizationId, spaceId: space?.id ?? null, collectionId };
  const { levels, grants } = await loadSharing(db, at, userId);
  return { space, collections: levels, grants };
}
