import Type from 'typebox';
import { listTeamMembers, listTeams, loadMember, loadTeam } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { effectiveRoleAt } from '../access/effective-role.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireRole } from '../access/require-role.ts';
import { findTeam, requireTeam } from '../access/require-team.ts';
import { allows, organizationRights, teamRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { invalid, notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadMembership } from '../members/load-membership.ts';
import { viewMembers } from '../members/view-members.ts';
import { changeTeamMembers, changeTitle, createTeam, removeTeam } from './change-team.ts';
import { viewTeams } from './view-teams.ts';

const Key = Type.Tuple([Type.String({ format: 'date-time' }), Type.String({ maxLength: 64 })]);

export function teamHandlers(deps: PlatformDeps): HandlersOf<'teams'> {
  const { db } = deps;

  async function present(caller: Caller, organizationId: string, teamId: string) {
    const view = await loadTeam(db, organizationId, teamId, caller.user.id);
    if (view === null) throw notFound('team with this id in this organization');
    return (await viewTeams(deps, caller, organizationId, [view]))(view);
  }

  /** Of a member who administers the organization, null: they manage every team. */
  async function teamsManagedBy(organizationId: string, userId: string) {
    const found = await loadMember(db, organizationId, userId);
    const role = found === null ? 'none' : effectiveRoleAt(await loadMembership(db, found.member));
    return allows(role, organizationRights.admin) ? null : { userId, as: 'owner' as const };
  }

  return {
    async listTeams({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'listTeams');
      const limit = limitOf(query);
      const list = `teams of ${organization.id}`;
      const found = await listTeams(db, organization.id, {
        userId: caller.user.id,
        of: query.owner === undefined ? null : await teamsManagedBy(organization.id, query.owner),
        title: query.title ?? null,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, {
        list,
        limit,
        keyOf: ({ team }) => ageKeyOf(team),
        present: await viewTeams(deps, caller, organization.id, found.rows),
      });
    },

    async createTeam({ caller, params, body }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      const { title, members = [] } = body;
      const { id } = await createTeam(deps, caller, { organizationId: organization.id, title, members });
      return await present(caller, organization.id, id);
    },

    async getTeam({ caller, params }) {
      await requireTeam(db, caller, params, 'view');
      return await present(caller, params.organizationId, params.teamId);
    },

    async updateTeam({ caller, params, body }) {
      const { view } = await requireTeam(db, caller, params, 'admin');
      await changeTitle(deps, caller, view.team, body.title);
      return await present(caller, params.organizationId, params.teamId);
    },

    async removeTeam({ caller, params }) {
      const found = await findTeam(db, caller, params);
      if (found === null) return;
      requireRole(found.effectiveRole, teamRights.admin, 'team');
      await removeTeam(deps, caller, found.view.team);
    },

    async listTeamMembers({ caller, params, query }) {
      const { view, effectiveRole, organizationRole } = await requireTeam(db, caller, params, 'view');
      // Guests in a team do not read the addresses of the others; those who manage it do.
      if (!allows(effectiveRole, teamRights.admin))
        requireRole(organizationRole, organizationRights.listMembers, 'organization');
      const limit = limitOf(query);
      const list = `members of team ${view.team.id}`;
      const key = readCursor(list, Key, query);
      const after = key && { at: new Date(key[0]), userId: key[1] };
      const found = await listTeamMembers(db, view.team, { after, limit: limit + 1 });
      const presentMember = await viewMembers(deps, params.organizationId, found.rows);
      return toList(found, {
        list,
        limit,
        keyOf: ({ joinedTeamAt, member }) => [joinedTeamAt.toISOString(), member.userId],
        present: (row) => ({
          organization: presentMember(row),
          team: { role: row.role },
          permissions: { view: true },
        }),
      });
    },

    async updateTeamMembers({ caller, params, body }) {
      const { view } = await requireTeam(db, caller, params, 'admin');
      const { add = [], memberships = {}, remove = [] } = body;
      const added = add.map((userId, index) => ({ userId, role: null, path: `/body/add/${index}` }));
      const set = Object.entries(memberships).map(([userId, { role = null }]) => ({
        userId,
        role,
        path: `/body/memberships/${userId}`,
      }));
      const put = [...added, ...set];
      const named = new Set(put.map(({ userId }) => userId));
      const contradiction = remove.findIndex((userId) => named.has(userId));
      if (contradiction !== -1) {
        throw invalid(
          `/body/remove/${contradiction}`,
          'is also added; name each member in one of the fields',
        );
      }
      await changeTeamMembers(deps, caller, view.team, { put, remove });
    },

    async addTeamMember({ caller, params, body }) {
      const { view } = await requireTeam(db, caller, params, 'admin');
      const { userId } = params;
      if ((await loadMember(db, params.organizationId, userId)) === null)
        throw notFound('member with this id in this organization');
      const put = [{ userId, role: body.role ?? null, path: '/params/userId' }];
      await changeTeamMembers(deps, caller, view.team, { put, remove: [] });
    },

    async removeTeamMember({ caller, params }) {
      const { view, effectiveRole } = await requireTeam(db, caller, params, 'view');
      // Whoever is in a team may leave it, unless their token is for less than that.
      const isOwn = params.userId === caller.user.id && caller.limit === null;
      if (!isOwn) requireRole(effectiveRole, teamRights.admin, 'team');
      await changeTeamMembers(deps, caller, view.team, { put: [], remove: [params.userId] });
    },

    async listMemberTeams({ caller, params, query }) {
      const right = params.userId === caller.user.id ? 'view' : 'listTeams';
      const { organization } = await requireOrganization(db, caller, params.organizationId, right);
      if ((await loadMember(db, organization.id, params.userId)) === null)
        throw notFound('member with this id in this organization');
      const limit = limitOf(query);
      const list = `teams of member ${params.userId}`;
      const found = await listTeams(db, organization.id, {
        userId: caller.user.id,
        of: { userId: params.userId, as: 'any' },
        title: query.title ?? null,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      const presentTeam = await viewTeams(deps, caller, organization.id, found.rows);
      return toList(found, {
        list,
        limit,
        keyOf: ({ team }) => ageKeyOf(team),
        present: (view) => ({ team: presentTeam(view), member: { role: view.memberRole ?? 'member' } }),
      });
    },
  };
}
