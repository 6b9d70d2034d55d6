import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { Id, MomentInput, Role, Title } from '../scalars.ts';
import { ApiToken, MemberToken, NewApiToken, TokenScope } from './api-token.ts';

const tag = 'Tokens and sessions';

const expiresAt = Type.Unsafe<string>({ ...MomentInput, description: 'At most a year ahead.' });

export const tokenOperations = {
  listTokens: defineOperation({
    id: 'listOwnTokens',
    method: 'GET',
    path: '/user/tokens',
    tag,
    summary: 'List the API tokens of the caller that were not revoked, oldest first.',
    description: 'A token that is bound to an organization sees only those that are bound to it, too.',
    query: Paging,
    responses: { 200: ListOf(ApiToken) },
    extension: true,
  }),

  createToken: defineOperation({
    id: 'createOwnToken',
    method: 'POST',
    path: '/user/tokens',
    tag,
    summary: 'Create an API token for the caller; it is shown once.',
    description:
      'It may do no more than the caller: its role is at most theirs, and a token creates only tokens that are bound to the same organization and expire no later than itself. It has passed the single sign-on that the caller has passed. Somebody has at most 100 tokens.',
    body: Type.Object(
      { name: Title, role: Role, expiresAt, organization: Type.Optional(Id) },
      { additionalProperties: false },
    ),
    responses: { 201: NewApiToken },
    errors: ['beyond-own-rights', 'limit-reached', 'not-found', 'sso-required'],
    extension: true,
  }),

  revokeToken: defineOperation({
    id: 'revokeOwnToken',
    method: 'DELETE',
    path: '/user/tokens/:tokenId',
    tag,
    summary: 'Revoke an API token of the caller, with the sessions that were begun with it.',
    responses: { 204: Type.Void() },
    errors: ['beyond-own-rights'],
    extension: true,
  }),

  listOrganizationTokens: defineOperation({
    id: 'listTokensInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/tokens',
    tag,
    summary: 'List the API tokens that are bound to an organization, of all members, oldest first.',
    query: Type.Object(
      { ...pagingFields, scope: Type.Optional(TokenScope) },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(MemberToken) },
    errors: ['role-too-low'],
    extension: true,
  }),

  createProvisioningToken: defineOperation({
    id: 'createProvisioningToken',
    method: 'POST',
    path: '/orgs/:organizationId/scim-tokens',
    tag,
    summary: 'Create a token with which an identity provider keeps users and teams up to date (SCIM).',
    description:
      'For administrators. It opens `/scim/v2/<organization>` and nothing else, and is shown once. It is listed and revoked with the other tokens of the organization.',
    body: Type.Object({ name: Title, expiresAt }, { additionalProperties: false }),
    responses: { 201: NewApiToken },
    errors: ['role-too-low', 'beyond-own-rights', 'limit-reached'],
    extension: true,
  }),

  revokeOrganizationToken: defineOperation({
    id: 'revokeTokenInOrganization',
    method: 'DELETE',
    path: '/orgs/:organizationId/tokens/:tokenId',
    tag,
    summary: 'Revoke an API token that is bound to an organization, whoever owns it.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
