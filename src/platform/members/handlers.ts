import Type from 'typebox';
import {
  listMembers,
  listSpaces,
  loadMember,
  loadUserAmong,
  type MemberView,
  recordMemberSeen,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { effectiveRoleAt } from '../access/effective-role.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { ssoRequired } from '../access/require-role.ts';
import { effectiveRoleInTeam } from '../access/require-team.ts';
import { allows, organizationRights, teamRights, toRole } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { positionKeyOf, readPositionCursor } from '../api/position-cursor.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentUser } from '../organizations/present-user.ts';
import { viewSpaces } from '../spaces/view-spaces.ts';
import { addMember, changeMember, dismissMember } from './change-member.ts';
import { loadMembership } from './load-membership.ts';
import { viewMembers } from './view-members.ts';

const Key = Type.Tuple([Type.String({ format: 'date-time' }), Type.String({ maxLength: 64 })]);

interface Params {
  readonly organizationId: string;
  readonly userId: string;
}

export function memberHandlers(deps: PlatformDeps): HandlersOf<'members'> {
  const { db, publicUrl } = deps;

  /** Returns the member if the caller may list members or is that member; throws a 404 or 403 otherwise. */
  async function locate(caller: Caller, params: Params): Promise<MemberView> {
    const right = params.userId === caller.user.id ? 'view' : 'listMembers';
    const { organization } = await requireOrganization(db, caller, params.organizationId, right);
    const found = await loadMember(db, organization.id, params.userId);
    if (!found) throw notFound('member with this id in this organization');
    return found;
  }

  async function present(found: MemberView) {
    return (await viewMembers(deps, found.member.organizationId, [found]))(found);
  }

  /** A user whom a list of members in these organizations shows to the caller, or one of a team that the caller owns. */
  async function loadListed(caller: Caller, userId: string, organizationIds: readonly string[]) {
    const listing = organizationIds.filter((id) =>
      allows(effectiveRoleAt(caller.membershipAfterSso(id)), organizationRights.listMembers),
    );
    const managesOwn = allows(effectiveRoleInTeam(caller, 'none', 'owner'), teamRights.admin);
    return await loadUserAmong(db, userId, {
      organizationIds: listing,
      teamsOf: { ownerId: caller.user.id, organizationIds: managesOwn ? organizationIds : [] },
    });
  }

  return {
    async listMembers({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'listMembers');
      const limit = limitOf(query);
      const { sort = 'joinedAt', order = 'desc' } = query;
      const list = `members by ${sort} ${order}`;
      const key = readCursor(list, Key, query);
      const found = await listMembers(db, organization.id, {
        role: query.role ?? null,
        search: query.search ?? null,
        sort,
        order,
        after: key && { at: new Date(key[0]), userId: key[1] },
        limit: limit + 1,
      });
      const present = await viewMembers(deps, organization.id, found.rows);
      return toList(found, {
        list,
        limit,
        keyOf: ({ member }) => [(member[sort] ?? member.joinedAt).toISOString(), member.userId],
        present,
      });
    },

    async getMember({ caller, params }) {
      return await present(await locate(caller, params));
    },

    async addMember({ caller, params, body }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      return await present(await addMember(deps, caller, organization.id, body));
    },

    async updateMember({ caller, params, body }) {
      await requireOrganization(db, caller, params.organizationId, 'admin');
      await changeMember(deps, caller, params, body);
      return await present(await locate(caller, params));
    },

    async setMemberSso({ caller, params }) {
      await requireOrganization(db, caller, params.organizationId, 'admin');
      await changeMember(deps, caller, params, { sso: true });
      return await present(await locate(caller, params));
    },

    async removeMember({ caller, params }) {
      // Members may remove themselves, but a token for less than all that they may does not.
      const isOwn = params.userId === caller.user.id && caller.limit === null;
      await requireOrganization(db, caller, params.organizationId, isOwn ? 'view' : 'admin');
      await dismissMember(deps, caller, params);
    },

    async listMemberSpaces({ caller, params, query }) {
      const { member } = await locate(caller, params);
      const limit = limitOf(query);
      const { order = 'desc' } = query;
      const list = `spaces of member ${member.userId} ${order}`;
      const { organizationId } = member;
      const theirs = await loadAccessMap(db, organizationId, await loadMembership(db, member));
      const own = await loadAccessMap(db, organizationId, caller.membershipIn(organizationId));
      const found = await listSpaces(db, organizationId, {
        selection: await theirs.visibleSpaces(),
        order,
        after: readPositionCursor(list, query),
        limit: limit + 1,
      });
      const presentSpace = await viewSpaces(deps, own, found.rows);
      return toList(found, {
        list,
        limit,
        keyOf: positionKeyOf,
        present: (row) => ({
          permission: toRole(theirs.roleInSpace(row)),
          space: presentSpace(row),
        }),
      });
    },

    async pingOrganization({ caller, params }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      await recordMemberSeen(db, organization.id, caller.user.id);
      return {};
    },

    async getUserById({ caller, params }) {
      if (params.userId === caller.user.id) return presentUser(caller.user, publicUrl);
      const user = await loadListed(caller, params.userId, caller.organizationIds);
      if (!user) {
        if (await loadListed(caller, params.userId, caller.ssoOrganizationIds)) throw ssoRequired();
        throw notFound('user with this id');
      }
      return presentUser(user, publicUrl);
    },
  };
}
