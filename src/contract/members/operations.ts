import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { User } from '../organizations/user.ts';
import { ListOf, Order, pagingFields } from '../paging.ts';
import { Formed, Role, RoleOrGuest, Title } from '../scalars.ts';
import { Space } from '../spaces/space.ts';
import { Member } from './member.ts';

const tag = 'Organization members';
const base = '/orgs/:organizationId/members/:userId';

export const memberOperations = {
  listMembers: defineOperation({
    id: 'listMembersInOrganizationById',
    method: 'GET',
    path: '/orgs/:organizationId/members',
    tag,
    summary: 'List the members of an organization.',
    query: Type.Object(
      {
        ...pagingFields,
        order: Type.Optional(Order),
        role: Type.Optional(Role),
        search: Type.Optional(
          Type.String({ maxLength: 256, description: 'Part of the name or of the email address.' }),
        ),
        sort: Type.Optional(
          Type.Enum(['joinedAt', 'lastSeenAt'], {
            type: 'string',
            default: 'joinedAt',
            description: '`lastSeenAt` lists only members who have been seen.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Member) },
    errors: ['role-too-low'],
  }),

  getMember: defineOperation({
    id: 'getMemberInOrganizationById',
    method: 'GET',
    path: base,
    tag,
    summary: 'Read a member of an organization.',
    responses: { 200: Member },
    errors: ['role-too-low'],
  }),

  addMember: defineOperation({
    id: 'addMemberToOrganization',
    method: 'POST',
    path: '/orgs/:organizationId/members',
    tag,
    summary: 'Make somebody a member of an organization by their address, without an invitation.',
    description:
      'Only for addresses in an e-mail domain that the organization has proved; all others are invited. A user with this address is created if there is none; of one that exists, the address must be confirmed. 409 for a member.',
    body: Type.Object(
      {
        email: Formed(
          '^[^\\s@\\x00-\\x1f]{1,64}@[^\\s@\\x00-\\x1f]{1,190}$',
          'must be an e-mail address, for example ada@example.com',
        ),
        displayName: Type.Optional(Title),
        role: RoleOrGuest,
      },
      { additionalProperties: false },
    ),
    responses: { 201: Member },
    errors: ['role-too-low', 'nothing-to-change', 'must-be-invited'],
    extension: true,
  }),

  updateMember: defineOperation({
    id: 'updateMemberInOrganizationById',
    method: 'PATCH',
    path: base,
    tag,
    summary: "Change a member's role, or disable or enable them.",
    description:
      'The last administrator must stay an administrator, and cannot be disabled: 409. `disabled` and `sso` are extensions: a disabled member stays one, with teams and grants, but has no access; with `sso` a member takes only single sign-on.',
    body: Type.Object(
      {
        role: Type.Optional(RoleOrGuest),
        disabled: Type.Optional(Type.Boolean()),
        sso: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Member },
    errors: ['role-too-low', 'last-administrator', 'sso-not-ready'],
  }),

  removeMember: defineOperation({
    id: 'removeMemberFromOrganizationById',
    method: 'DELETE',
    path: base,
    tag,
    summary: 'Remove a member from an organization; members may remove themselves.',
    description: 'The last administrator cannot be removed: 409.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'last-administrator'],
  }),

  setMemberSso: defineOperation({
    id: 'setUserAsSSOMemberForOrganization',
    method: 'POST',
    path: `${base}/sso`,
    tag,
    summary: 'Let a member sign in by single sign-on only.',
    responses: { 200: Member },
    errors: ['role-too-low', 'sso-not-ready'],
  }),

  listMemberSpaces: defineOperation({
    id: 'listSpacesForOrganizationMember',
    method: 'GET',
    path: `${base}/spaces`,
    tag,
    summary: 'List the spaces that a member may see, each with their role there.',
    query: Type.Object({ ...pagingFields, order: Type.Optional(Order) }, { additionalProperties: false }),
    responses: {
      200: ListOf(
        Type.Object({
          permission: Type.Union([Role, Type.Null()], {
            description: 'Null for a guest who can only read what the space shows to everybody.',
          }),
          space: Space,
        }),
      ),
    },
    errors: ['role-too-low'],
  }),

  pingOrganization: defineOperation({
    id: 'updateOrganizationMemberLastSeenAt',
    method: 'POST',
    path: '/orgs/:organizationId/ping',
    tag,
    summary: 'Record that the caller was seen in an organization just now.',
    responses: { 200: Type.Object({ serviceVisitorClaims: Type.Optional(Type.String()) }) },
  }),

  getUserById: defineOperation({
    id: 'getUserById',
    method: 'GET',
    path: '/users/:userId',
    tag,
    summary: 'Read a user: the caller, or one whom a list of members or of a team shows to them.',
    responses: { 200: User },
    extension: true,
  }),
} as const;
