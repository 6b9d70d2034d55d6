import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { Formed, Id, RoleOrGuest, Title } from '../scalars.ts';
import { MergeRulesInput } from './merge-rules.ts';
import { Organization } from './organization.ts';
import { User } from './user.ts';

const tag = 'Organizations';

/** A host name as RFC 1123 allows it, with at least two labels. */
const Domain = Formed(
  '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$',
  'must be a domain in small letters, for example example.com',
  { maxLength: 253 },
);

const Hostname = Formed(
  '^[a-z0-9][a-z0-9-]*[a-z0-9]$',
  'must be small letters, digits and hyphens, with no hyphen at the start or end',
  {
    minLength: 3,
    maxLength: 32,
    description: 'A label of a host name, unique on the server.',
  },
);

export const organizationOperations = {
  listOrganizations: defineOperation({
    id: 'listOrganizations',
    method: 'GET',
    path: '/orgs',
    tag,
    summary: 'List the organizations that the caller belongs to.',
    query: Paging,
    responses: { 200: ListOf(Organization) },
  }),

  createOrganization: defineOperation({
    id: 'createOrganization',
    method: 'POST',
    path: '/orgs',
    tag,
    summary: 'Create an organization; the caller becomes its first administrator.',
    description:
      'A token that is bound to one organization, or whose role is below `create`, cannot create another.',
    body: Type.Object({ title: Title }, { additionalProperties: false }),
    responses: { 201: Organization },
    errors: ['role-too-low', 'token-bound'],
    extension: true,
  }),

  getOrganization: defineOperation({
    id: 'getOrganization',
    method: 'GET',
    path: '/orgs/:organizationId',
    tag,
    summary: 'Read an organization.',
    responses: { 200: Organization },
  }),

  updateOrganization: defineOperation({
    id: 'updateOrganizationById',
    method: 'PATCH',
    path: '/orgs/:organizationId',
    tag,
    summary: 'Change an organization; what is absent stays as it is.',
    description:
      '409 when another organization has the `hostname`. `sso` can be switched on when a provider works and the caller has signed in there, or has recovery codes. A `defaultContent` that is not a site of the organization is 400.',
    body: Type.Object(
      {
        title: Type.Optional(Title),
        emailDomains: Type.Optional(Type.Array(Domain, { maxItems: 100 })),
        hostname: Type.Optional(Type.Union([Hostname, Type.Null()])),
        defaultRole: Type.Optional(RoleOrGuest),
        defaultContent: Type.Optional(
          Type.Object({ type: Type.Literal('site'), site: Id }, { additionalProperties: false }),
        ),
        logo: Type.Optional(
          Type.Union([
            Formed('^https?://', 'must be an http or https URL', { format: 'uri', maxLength: 2048 }),
            Type.Null(),
          ]),
        ),
        sso: Type.Optional(Type.Boolean()),
        ai: Type.Optional(Type.Boolean()),
        inviteLinks: Type.Optional(Type.Boolean()),
        mergeRules: Type.Optional(MergeRulesInput),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Organization },
    errors: ['role-too-low', 'hostname-taken', 'sso-not-ready'],
  }),

  getUser: defineOperation({
    id: 'getUser',
    method: 'GET',
    path: '/user',
    tag,
    summary: 'Read the user to whom the token belongs.',
    responses: { 200: User },
    extension: true,
  }),
} as const;
