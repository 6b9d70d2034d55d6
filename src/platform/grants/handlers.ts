import Type from 'typebox';
import { type Role, roles } from '../../contract/index.ts';
import {
  type GrantSubject,
  listRankedMembers,
  listTeamGrants,
  listUserGrants,
  loadMember,
  loadSharing,
  loadTeams,
  loadUsers,
  type SpaceSharing,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { effectiveRoleAt, type Sharing } from '../access/effective-role.ts';
import { requireCollection } from '../access/require-collection.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireRole } from '../access/require-role.ts';
import { requireSite, type SiteParams } from '../access/require-site.ts';
import { requireSpace } from '../access/require-space.ts';
import { allows, type EffectiveRole, organizationRights, toRole } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { invalid, notFound } from '../api/api-error.ts';
import { limitOf, type PagingQuery, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { membershipOf } from '../members/load-membership.ts';
import { viewTeams } from '../teams/view-teams.ts';
import { changeGrant, grantRole, type NamedPlace, placeOf, withdrawGrant } from './change-grants.ts';
import { explainAccess, type SharedPlace } from './explain-access.ts';
import { presentUserGrant } from './present-user-grant.ts';

/** A place as the caller has it. */
interface Located {
  readonly place: NamedPlace;
  readonly effectiveRole: EffectiveRole;
  readonly space: SpaceSharing | null;
}

/** Finds a place in which the caller may see what is granted, or (with `admin`) grant. */
type Locate<Params> = (caller: Caller, params: Params, right: 'view' | 'admin') => Promise<Located>;

interface Change {
  readonly role?: Role | null;
}

interface Listing<Params, Filter> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: PagingQuery & Filter;
}

const nowhere = { spaceId: null, collectionId: null, siteId: null };

/** A member by whom nothing is known but that they are one. */
const ANY_MEMBER = { userId: '', role: null, disabledAt: null };

const Key = Type.Tuple([Type.String({ format: 'date-time' }), Type.String({ maxLength: 64 })]);

export function grantHandlers(deps: PlatformDeps): HandlersOf<'grants'> {
  const { db, publicUrl } = deps;

  const inSpace: Locate<{ readonly spaceId: string }> = async (caller, { spaceId }, right) => {
    const needed = right === 'admin' ? 'admin' : 'access';
    const { space, effectiveRole } = await requireSpace(db, caller, spaceId, needed);
    const { organizationId, title } = space;
    const place = { ...nowhere, organizationId, spaceId: space.id, title };
    return { place, effectiveRole, space };
  };

  const inCollection: Locate<{ readonly collectionId: string }> = async (caller, params, right) => {
    const { collection, effectiveRole } = await requireCollection(db, caller, params.collectionId, right);
    const { organizationId, title, id: collectionId } = collection;
    const place = { ...nowhere, organizationId, collectionId, title };
    return { place, effectiveRole, space: null };
  };

  const inSite: Locate<SiteParams> = async (caller, params, right) => {
    const needed = right === 'admin' ? 'admin' : 'access';
    const { site, effectiveRole } = await requireSite(db, caller, params, needed);
    const { organizationId, title, id: siteId } = site;
    return { place: { ...nowhere, organizationId, siteId, title }, effectiveRole, space: null };
  };

  const inOrganization: Locate<{ readonly organizationId: string }> = async (caller, params, right) => {
    const needed = right === 'admin' ? 'admin' : 'listMembers';
    const found = await requireOrganization(db, caller, params.organizationId, needed);
    const { id: organizationId, title } = found.organization;
    const { effectiveRole } = found;
    return {
      place: { ...nowhere, organizationId, title },
      effectiveRole,
      space: null,
    };
  };

  /** Who administers the place, or lists the members of the organization, sees who has been granted what. */
  function toViewers<Params>(locate: Locate<Params>) {
    return async (caller: Caller, params: Params): Promise<Located> => {
      const located = await locate(caller, params, 'view');
      if (!allows(located.effectiveRole, 'admin')) {
        const role = caller.roleIn(located.place.organizationId);
        requireRole(role, organizationRights.listMembers, 'organization');
      }
      return located;
    };
  }

  async function loadPlaceSharing({ place, space }: Located): Promise<Sharing | undefined> {
    if (placeOf(place).kind === 'organization') return undefined;
    if (place.siteId !== null) return { space: null, collections: [], grants: [] };
    const collectionId = place.spaceId === null ? place.collectionId : (space?.parentId ?? null);
    const at = { organizationId: place.organizationId, spaceId: place.spaceId, collectionId };
    const { levels } = await loadSharing(db, at, '');
    return { space, collections: levels, grants: [] };
  }

  function handlersAt<Params>(locate: Locate<Params>) {
    const locateForViewers = toViewers(locate);
    const subjectOf = (params: { readonly userId?: string; readonly teamId?: string }): GrantSubject =>
      params.userId === undefined ? { teamId: params.teamId ?? '' } : { userId: params.userId };
    type ToGrant = Params & { readonly userId?: string; readonly teamId?: string };
    return {
      async grant(input: {
        readonly caller: Caller;
        readonly params: Params;
        readonly body: {
          readonly role: Role | null;
          readonly users?: readonly string[];
          readonly teams?: readonly string[];
        };
      }) {
        const { place } = await locate(input.caller, input.params, 'admin');
        await grantRole(deps, input.caller, place, input.body);
      },

      async change({ caller, params, body }: { caller: Caller; params: ToGrant; body: Change }) {
        const { place } = await locate(caller, params, 'admin');
        await changeGrant(deps, caller, place, subjectOf(params), body.role);
      },

      async remove({ caller, params }: { caller: Caller; params: ToGrant }) {
        const { place } = await locate(caller, params, 'admin');
        await withdrawGrant(deps, caller, place, subjectOf(params));
      },

      async users({ caller, params, query }: Listing<Params, { readonly user?: string }>) {
        const { place } = await locateForViewers(caller, params);
        const limit = limitOf(query);
        const { user = null } = query;
        const list = `users granted in ${placeOf(place).id} ${user ?? ''}`;
        const after = readAgeCursor(list, query);
        const found = await listUserGrants(db, place, { userId: user, after, limit: limit + 1 });
        return toList(found, {
          list,
          limit,
          keyOf: ({ grant }) => ageKeyOf(grant),
          present: ({ grant, user }) => presentUserGrant(toRole(grant.role) ?? 'read', user, publicUrl),
        });
      },

      async teams({ caller, params, query }: Listing<Params, { readonly team?: string }>) {
        const { place } = await locateForViewers(caller, params);
        const limit = limitOf(query);
        const { team: teamId = null } = query;
        const list = `teams granted in ${placeOf(place).id} ${teamId ?? ''}`;
        const after = readAgeCursor(list, query);
        const found = await listTeamGrants(db, place, { teamId, after, limit: limit + 1 });
        const { organizationId } = place;
        const ids = found.rows.flatMap(({ teamId }) => teamId ?? []);
        const views = await loadTeams(db, organizationId, ids, caller.user.id);
        const present = await viewTeams(deps, caller, organizationId, views);
        const teams = new Map(views.map((view) => [view.team.id, present(view)]));
        const { items, ...rest } = toList(found, {
          list,
          limit,
          keyOf: ageKeyOf,
          present: ({ role, teamId }) => ({
            permission: toRole(role) ?? 'read',
            team: teams.get(teamId ?? ''),
          }),
        });
        return {
          ...rest,
          items: items.flatMap(({ permission, team }) => (team === undefined ? [] : [{ permission, team }])),
        };
      },

      async aggregate({
        caller,
        params,
        query,
      }: {
        caller: Caller;
        params: Params;
        query: PagingQuery & { readonly role?: Role };
      }) {
        const located = await locateForViewers(caller, params);
        const { organizationId, spaceId, siteId } = located.place;
        const sharing = await loadPlaceSharing(located);
        const ids = [
          ...(spaceId === null ? [] : [spaceId]),
          ...(siteId === null ? [] : [siteId]),
          ...(sharing?.collections ?? []).map(({ id }) => id),
        ];
        const limit = limitOf(query);
        const list = `roles in ${placeOf(located.place).id} ${query.role ?? ''}`;
        const after = readCursor(list, Key, query);
        const found = await listRankedMembers(db, located.place, {
          placeIds: ids,
          roles,
          floor: toRole(effectiveRoleAt(membershipOf(ANY_MEMBER, []), sharing)),
          role: query.role ?? null,
          // Who may not list the members of the organization learns only of those who were granted something here.
          grantedHere: !allows(caller.roleIn(organizationId), organizationRights.listMembers),
          after: after === null ? null : { at: new Date(after[0]), userId: after[1] },
          limit: limit + 1,
        });
        const users = await loadUsers(
          db,
          found.rows.map(({ userId }) => userId),
        );
        const { items, ...rest } = toList(found, {
          list,
          limit,
          keyOf: ({ joinedAt, userId }) => [joinedAt.toISOString(), userId],
          present: (row) => row,
        });
        return {
          ...rest,
          items: items.flatMap(({ userId, role }) => {
            const user = users.get(userId);
            const known = toRole(role);
            return user === undefined || known === null ? [] : [presentUserGrant(known, user, publicUrl)];
          }),
        };
      },
    };
  }

  const space = handlersAt(inSpace);
  const collection = handlersAt(inCollection);
  const site = handlersAt(inSite);
  const organization = handlersAt(inOrganization);

  /** The space or collection that is asked about, and the caller's role there. */
  async function locateAsked(
    caller: Caller,
    organizationId: string,
    query: { readonly space?: string; readonly collection?: string; readonly site?: string },
  ): Promise<{ readonly place: SharedPlace; readonly role: EffectiveRole } | null> {
    const [first, second] = (['space', 'collection', 'site'] as const).filter(
      (name) => query[name] !== undefined,
    );
    if (second !== undefined) throw invalid(`/query/${second}`, `cannot be given together with ${first}`);
    if (query.site !== undefined) {
      const located = await requireSite(db, caller, { organizationId, siteId: query.site }, 'access');
      return {
        place: { space: null, collectionId: null, site: located.site },
        role: located.effectiveRole,
      };
    }
    if (query.space !== undefined) {
      const { space: row, effectiveRole } = await requireSpace(db, caller, query.space, 'view');
      if (row.organizationId !== organizationId) throw notFound('space with this id in this organization');
      return { place: { space: row, collectionId: row.parentId }, role: effectiveRole };
    }
    if (query.collection === undefined) return null;
    const { collection: row, effectiveRole } = await requireCollection(db, caller, query.collection, 'view');
    if (row.organizationId !== organizationId) throw notFound('collection with this id in this organization');
    return { place: { space: null, collectionId: row.id }, role: effectiveRole };
  }

  return {
    grantInSpace: space.grant,
    listSpaceUsers: space.users,
    updateSpaceUser: space.change,
    removeSpaceUser: space.remove,
    listSpaceTeams: space.teams,
    updateSpaceTeam: space.change,
    removeSpaceTeam: space.remove,
    listSpacePermissions: space.aggregate,
    grantInCollection: collection.grant,
    listCollectionUsers: collection.users,
    updateCollectionUser: collection.change,
    removeCollectionUser: collection.remove,
    listCollectionTeams: collection.teams,
    updateCollectionTeam: collection.change,
    removeCollectionTeam: collection.remove,
    listCollectionPermissions: collection.aggregate,
    grantInSite: site.grant,
    listSiteUsers: site.users,
    updateSiteUser: site.change,
    removeSiteUser: site.remove,
    listSiteTeams: site.teams,
    updateSiteTeam: site.change,
    removeSiteTeam: site.remove,
    async listSitePermissions(input) {
      const { items, ...rest } = await site.aggregate(input);
      const { organizationId } = input.params;
      const origin = { type: 'organization' as const, organization: organizationId };
      return { ...rest, items: items.map((item) => ({ ...item, origin })) };
    },
    grantInOrganization: organization.grant,
    listOrganizationUsers: organization.users,
    updateOrganizationUser: organization.change,
    removeOrganizationUser: organization.remove,
    listOrganizationTeams: organization.teams,
    updateOrganizationTeam: organization.change,
    removeOrganizationTeam: organization.remove,
    listOrganizationPermissions: organization.aggregate,

    async getMemberAccess({ caller, params, query }) {
      const found = await requireOrganization(db, caller, params.organizationId, 'view');
      const asked = await locateAsked(caller, found.organization.id, query);
      if (params.userId !== caller.user.id && !allows(asked?.role ?? 'none', 'admin'))
        requireRole(found.effectiveRole, organizationRights.admin, 'organization');
      const view = await loadMember(db, found.organization.id, params.userId);
      if (view === null) throw notFound('member with this id in this organization');
      return await explainAccess(db, caller, { ...found, view, place: asked?.place ?? null });
    },
  };
}
