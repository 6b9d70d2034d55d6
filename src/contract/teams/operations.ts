import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { Team, TeamMember, TeamMembership, TeamRole, TeamTitle } from './team.ts';

const tag = 'Teams';
const all = '/orgs/:organizationId/teams';
const base = `${all}/:teamId` as const;
const title = Type.Optional(
  Type.String({ maxLength: 64, description: 'Part of the title, in any letter case.' }),
);
const MemberIds = Type.Array(Id, { maxItems: 1000 });

export const teamOperations = {
  listTeams: defineOperation({
    id: 'listTeamsInOrganizationById',
    method: 'GET',
    path: all,
    tag,
    summary: 'List the teams of an organization.',
    query: Type.Object(
      {
        ...pagingFields,
        owner: Type.Optional(
          Type.String({ maxLength: 64, description: 'A member: only the teams that they can manage.' }),
        ),
        title,
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Team) },
    errors: ['role-too-low'],
  }),

  createTeam: defineOperation({
    id: 'createOrganizationTeam',
    method: 'PUT',
    path: all,
    tag,
    summary: 'Create a team.',
    body: Type.Object(
      { title: TeamTitle, members: Type.Optional(MemberIds) },
      { additionalProperties: false },
    ),
    responses: { 201: Team },
    errors: ['role-too-low'],
  }),

  getTeam: defineOperation({
    id: 'getTeamInOrganizationById',
    method: 'GET',
    path: base,
    tag,
    summary: 'Read a team.',
    responses: { 200: Team },
  }),

  updateTeam: defineOperation({
    id: 'updateTeamInOrganizationById',
    method: 'PATCH',
    path: base,
    tag,
    summary: 'Rename a team.',
    body: Type.Object({ title: TeamTitle }, { additionalProperties: false }),
    responses: { 200: Team },
    errors: ['role-too-low', 'team-provisioned'],
  }),

  removeTeam: defineOperation({
    id: 'removeTeamFromOrganizationById',
    method: 'DELETE',
    path: base,
    tag,
    summary: 'Delete a team, with what it was granted; its members stay in the organization.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  listTeamMembers: defineOperation({
    id: 'listTeamMembersInOrganizationById',
    method: 'GET',
    path: `${base}/members`,
    tag,
    summary: 'List the members of a team.',
    query: Paging,
    responses: { 200: ListOf(TeamMember) },
    errors: ['role-too-low'],
    extension: true,
  }),

  updateTeamMembers: defineOperation({
    id: 'updateMembersInOrganizationTeam',
    method: 'PUT',
    path: `${base}/members`,
    tag,
    summary: 'Add members to a team, remove them, and set their roles.',
    description:
      '`add` adds as `member` and changes nothing for those who are in the team; `memberships` adds, too, and sets roles.',
    body: Type.Object(
      {
        add: Type.Optional(MemberIds),
        memberships: Type.Optional(
          Type.Record(
            Type.String({ maxLength: 64 }),
            Type.Object({ role: Type.Optional(TeamRole) }, { additionalProperties: false }),
            { maxProperties: 1000 },
          ),
        ),
        remove: Type.Optional(MemberIds),
      },
      { additionalProperties: false },
    ),
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'team-provisioned'],
    extension: true,
  }),

  addTeamMember: defineOperation({
    id: 'addMemberToOrganizationTeamById',
    method: 'PUT',
    path: `${base}/members/:userId`,
    tag,
    summary: 'Add a member to a team, or set their role in it.',
    body: Type.Object({ role: Type.Optional(TeamRole) }, { additionalProperties: false }),
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'team-provisioned'],
    extension: true,
  }),

  removeTeamMember: defineOperation({
    id: 'deleteMemberFromOrganizationTeamById',
    method: 'DELETE',
    path: `${base}/members/:userId`,
    tag,
    summary: 'Remove a member from a team.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'team-provisioned'],
    extension: true,
  }),

  listMemberTeams: defineOperation({
    id: 'listTeamsForOrganizationMember',
    method: 'GET',
    path: '/orgs/:organizationId/members/:userId/teams',
    tag,
    summary: 'List the teams of a member, with their role in each.',
    query: Type.Object({ ...pagingFields, title }, { additionalProperties: false }),
    responses: { 200: ListOf(Type.Object({ team: Team, member: TeamMembership })) },
    errors: ['role-too-low'],
  }),
} as const;
