import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { Organization } from '../organizations/organization.ts';
import { ListOf, Paging } from '../paging.ts';
import { RoleOrGuest } from '../scalars.ts';
import { LinkInvite, MailInvite } from './invite.ts';

const tag = 'Invites';
const links = '/orgs/:organizationId/link-invites';
const mails = '/orgs/:organizationId/invites';

const Address = Type.String({ minLength: 3, maxLength: 254 });

export const inviteOperations = {
  inviteUsers: defineOperation({
    id: 'inviteUsersToOrganization',
    method: 'POST',
    path: mails,
    tag,
    summary: 'Invite people by mail.',
    description:
      'For administrators. Each invitation is for one address, works once and for 7 days, and replaces an earlier one for the same address. The answer has the addresses at which they are accepted, so it works without a mail server, too. It is the same for people who are known here and for others. `sso` cannot be set: set it on the member.',
    body: Type.Object(
      {
        emails: Type.Array(
          Type.Union([
            Address,
            Type.Object({ email: Address, role: RoleOrGuest }, { additionalProperties: false }),
          ]),
          { minItems: 1, maxItems: 250 },
        ),
        role: Type.Optional(RoleOrGuest),
        sso: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    responses: {
      200: Type.Object({
        users: Type.Array(Type.String(), { description: 'Nobody joins before they accept, so it is empty.' }),
        invited: Type.Integer({ minimum: 0 }),
        invites: Type.Array(MailInvite),
      }),
    },
    errors: ['role-too-low', 'beyond-own-rights', 'limit-reached'],
    extension: true,
  }),

  listInvites: defineOperation({
    id: 'listInvitesToOrganization',
    method: 'GET',
    path: mails,
    tag,
    summary: 'List the invitations by mail that nobody has accepted yet, oldest first.',
    query: Paging,
    responses: { 200: ListOf(MailInvite) },
    errors: ['role-too-low'],
    extension: true,
  }),

  joinWithInvite: defineOperation({
    id: 'joinOrganizationWithInvite',
    method: 'POST',
    path: `${mails}/:inviteId`,
    tag,
    summary: 'Accept an invitation: the caller becomes a member.',
    description:
      'Named by the secret of its address (`/invite/<secret>`). An invitation by mail is only for its address, which the caller must have confirmed; links work while the organization allows them (`inviteLinks`). Whoever is a member already stays what they are, and nothing is used up.',
    responses: { 200: Type.Object({}) },
    errors: ['invite-for-another-address', 'token-bound'],
    extension: true,
  }),

  resendInvite: defineOperation({
    id: 'resendInviteToOrganization',
    method: 'POST',
    path: `${mails}/:inviteId/resend`,
    tag,
    summary: 'Send an invitation again, with a new address, for another 7 days; the earlier address ends.',
    responses: { 200: MailInvite },
    errors: ['role-too-low', 'beyond-own-rights'],
    extension: true,
  }),

  revokeInvite: defineOperation({
    id: 'revokeInviteToOrganization',
    method: 'DELETE',
    path: `${mails}/:inviteId`,
    tag,
    summary: 'Revoke an invitation by mail.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),

  createLinkInvite: defineOperation({
    id: 'createOrganizationInvite',
    method: 'POST',
    path: links,
    tag,
    summary: 'Create a link with which people join an organization.',
    description: 'For administrators, while the organization has `inviteLinks` on. It works for 7 days.',
    body: Type.Object(
      {
        role: RoleOrGuest,
        maxUses: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      },
      { additionalProperties: false },
    ),
    responses: { 201: LinkInvite },
    errors: ['role-too-low', 'beyond-own-rights', 'invite-links-off', 'limit-reached'],
    extension: true,
  }),

  listLinkInvites: defineOperation({
    id: 'listOrganizationInviteLinks',
    method: 'GET',
    path: links,
    tag,
    summary: 'List the invite links of an organization, oldest first.',
    query: Paging,
    responses: { 200: ListOf(LinkInvite) },
    errors: ['role-too-low'],
    extension: true,
  }),

  getLinkInvite: defineOperation({
    id: 'getOrganizationInviteLink',
    method: 'GET',
    path: `${links}/:inviteId`,
    tag,
    summary: 'Read an invite link.',
    responses: { 200: LinkInvite },
    errors: ['role-too-low'],
    extension: true,
  }),

  updateLinkInvite: defineOperation({
    id: 'updateOrganizationInviteById',
    method: 'PATCH',
    path: `${links}/:inviteId`,
    tag,
    summary: 'Change the role that people get who join by a link from now on.',
    body: Type.Object({ role: RoleOrGuest }, { additionalProperties: false }),
    responses: { 200: LinkInvite },
    errors: ['role-too-low', 'beyond-own-rights'],
    extension: true,
  }),

  deleteLinkInvite: defineOperation({
    id: 'deleteOrganizationInviteById',
    method: 'DELETE',
    path: `${links}/:inviteId`,
    tag,
    summary: 'Revoke an invite link.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  joinOrganization: defineOperation({
    id: 'joinOrganization',
    method: 'POST',
    path: '/orgs/:organizationId/join',
    tag,
    summary: 'Join an organization whose `emailDomains` has the domain of the caller’s confirmed address.',
    description:
      'The role is the `defaultRole`. Anything else is 404, as if there were no such organization.',
    responses: { 204: Type.Void() },
    errors: ['token-bound'],
  }),

  listOrganizationsOfDomain: defineOperation({
    id: 'getOrganizationsForEmailDomain',
    method: 'GET',
    path: '/email-domains/:emailDomain/orgs',
    tag,
    summary: 'List the organizations that the caller may join by the domain of their e-mail address.',
    description:
      'Only for the domain of the caller’s own confirmed address; for any other the list is empty. At most 100.',
    responses: { 200: Type.Object({ organizations: Type.Array(Organization) }) },
  }),
} as const;
