import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Id, Role } from '../scalars.ts';
import {
  GrantChange,
  GrantInput,
  MemberAccess,
  SitePermission,
  TeamPermission,
  UserPermission,
} from './grant.ts';

const tag = 'Permissions';
const errors = ['role-too-low'] as const;
const extension = true;

const only = (kind: 'user' | 'team') =>
  Type.Optional(
    Type.String({ maxLength: 64, description: `The id of a ${kind}: only what that one was granted.` }),
  );

function grant<const Path extends string>(id: string, path: Path, where: string) {
  return defineOperation({
    id,
    method: 'POST',
    path,
    tag,
    summary: `Grant members and teams a role in ${where}.`,
    description:
      'Name `users`, `teams` or both. The role replaces one that they were granted before; null removes it.',
    body: GrantInput,
    responses: { 204: Type.Void() },
    errors,
    extension,
  });
}

function listUsers<const Path extends string>(id: string, path: Path, where: string) {
  return defineOperation({
    id,
    method: 'GET',
    path,
    tag,
    summary: `List what members were granted in ${where}.`,
    query: Type.Object({ ...pagingFields, user: only('user') }, { additionalProperties: false }),
    responses: { 200: ListOf(UserPermission) },
    errors,
    extension,
  });
}

function listTeams<const Path extends string>(id: string, path: Path, where: string) {
  return defineOperation({
    id,
    method: 'GET',
    path,
    tag,
    summary: `List what teams were granted in ${where}.`,
    query: Type.Object({ ...pagingFields, team: only('team') }, { additionalProperties: false }),
    responses: { 200: ListOf(TeamPermission) },
    errors,
    extension,
  });
}

function aggregate<const Path extends string>(id: string, path: Path, where: string) {
  return defineOperation({
    id,
    method: 'GET',
    path,
    tag,
    summary: `List everybody who has a role in ${where}, with their effective role.`,
    description: 'By all sources of the rule, without the limits of tokens. Disabled members are left out.',
    query: Type.Object({ ...pagingFields, role: Type.Optional(Role) }, { additionalProperties: false }),
    responses: { 200: ListOf(UserPermission) },
    errors,
    extension,
  });
}

function change<const Path extends string>(id: string, path: Path, whose: string) {
  return defineOperation({
    id,
    method: 'PATCH',
    path,
    tag,
    summary: `Change what ${whose} was granted; null removes it.`,
    body: GrantChange,
    responses: { 204: Type.Void() },
    errors,
    extension,
  });
}

function remove<const Path extends string>(id: string, path: Path, whose: string) {
  return defineOperation({
    id,
    method: 'DELETE',
    path,
    tag,
    summary: `Remove what ${whose} was granted.`,
    responses: { 204: Type.Void() },
    errors,
    extension,
  });
}

const space = '/spaces/:spaceId/permissions';
const collection = '/collections/:collectionId/permissions';
const site = '/orgs/:organizationId/sites/:siteId/permissions';
const organization = '/orgs/:organizationId/permissions';

export const grantOperations = {
  grantInSpace: grant('inviteToSpace', space, 'a space'),
  listSpaceUsers: listUsers('listUserPermissionsInSpace', `${space}/users`, 'a space'),
  updateSpaceUser: change('updateUserPermissionInSpace', `${space}/users/:userId`, 'a member in a space'),
  removeSpaceUser: remove('removeUserFromSpace', `${space}/users/:userId`, 'a member in a space'),
  listSpaceTeams: listTeams('listTeamPermissionsInSpace', `${space}/teams`, 'a space'),
  updateSpaceTeam: change('updateTeamPermissionInSpace', `${space}/teams/:teamId`, 'a team in a space'),
  removeSpaceTeam: remove('removeTeamFromSpace', `${space}/teams/:teamId`, 'a team in a space'),
  listSpacePermissions: aggregate('listPermissionsAggregateInSpace', `${space}/aggregate`, 'a space'),

  grantInCollection: grant('inviteToCollection', collection, 'a collection and all that is in it'),
  listCollectionUsers: listUsers(
    'listUserPermissionsInCollection',
    `${collection}/users`,
    'a collection itself',
  ),
  updateCollectionUser: change(
    'updateUserPermissionInCollection',
    `${collection}/users/:userId`,
    'a member in a collection',
  ),
  removeCollectionUser: remove(
    'removeUserFromCollection',
    `${collection}/users/:userId`,
    'a member in a collection',
  ),
  listCollectionTeams: listTeams(
    'listTeamPermissionsInCollection',
    `${collection}/teams`,
    'a collection itself',
  ),
  updateCollectionTeam: change(
    'updateTeamPermissionInCollection',
    `${collection}/teams/:teamId`,
    'a team in a collection',
  ),
  removeCollectionTeam: remove(
    'removeTeamFromCollection',
    `${collection}/teams/:teamId`,
    'a team in a collection',
  ),
  listCollectionPermissions: aggregate(
    'listPermissionsAggregateInCollection',
    `${collection}/aggregate`,
    'a collection',
  ),

  grantInSite: grant('grantInSite', site, 'a site'),
  listSiteUsers: listUsers('listUserPermissionsInSite', `${site}/users`, 'a site'),
  updateSiteUser: change('updateUserPermissionInSite', `${site}/users/:userId`, 'a member in a site'),
  removeSiteUser: remove('removeUserFromSite', `${site}/users/:userId`, 'a member in a site'),
  listSiteTeams: listTeams('listTeamPermissionsInSite', `${site}/teams`, 'a site'),
  updateSiteTeam: change('updateTeamPermissionInSite', `${site}/teams/:teamId`, 'a team in a site'),
  removeSiteTeam: remove('removeTeamFromSite', `${site}/teams/:teamId`, 'a team in a site'),
  listSitePermissions: defineOperation({
    id: 'listPermissionsAggregateInSite',
    method: 'GET',
    path: `${site}/aggregate`,
    tag,
    summary: 'List everybody who has a role in a site, with their effective role.',
    description: 'By all sources of the rule, without the limits of tokens. Disabled members are left out.',
    query: Type.Object({ ...pagingFields, role: Type.Optional(Role) }, { additionalProperties: false }),
    responses: { 200: ListOf(SitePermission) },
    errors,
    extension,
  }),

  grantInOrganization: grant('grantInOrganization', organization, 'a whole organization'),
  listOrganizationUsers: listUsers(
    'listUserPermissionsInOrganization',
    `${organization}/users`,
    'a whole organization',
  ),
  updateOrganizationUser: change(
    'updateUserPermissionInOrganization',
    `${organization}/users/:userId`,
    'a member in the organization, besides their role',
  ),
  removeOrganizationUser: remove(
    'removeUserPermissionFromOrganization',
    `${organization}/users/:userId`,
    'a member in the organization, besides their role',
  ),
  listOrganizationTeams: listTeams(
    'listTeamPermissionsInOrganization',
    `${organization}/teams`,
    'a whole organization',
  ),
  updateOrganizationTeam: change(
    'updateTeamPermissionInOrganization',
    `${organization}/teams/:teamId`,
    'a team in the organization',
  ),
  removeOrganizationTeam: remove(
    'removeTeamPermissionFromOrganization',
    `${organization}/teams/:teamId`,
    'a team in the organization',
  ),
  listOrganizationPermissions: aggregate(
    'listPermissionsAggregateInOrganization',
    `${organization}/aggregate`,
    'an organization',
  ),

  getMemberAccess: defineOperation({
    id: 'getMemberAccess',
    method: 'GET',
    path: '/orgs/:organizationId/members/:userId/access',
    tag,
    summary: 'Read why a member may do what they may do: every source of their role, and which one wins.',
    description:
      'In the organization, or in a `space`, a `collection` or a `site` of it. For members about themselves, and for administrators of the organization, or of the place.',
    query: Type.Object(
      { space: Type.Optional(Id), collection: Type.Optional(Id), site: Type.Optional(Id) },
      { additionalProperties: false },
    ),
    responses: { 200: MemberAccess },
    errors,
    extension,
  }),
} as const;
