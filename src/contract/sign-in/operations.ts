import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { Formed, Id, RoleOrGuest } from '../scalars.ts';
import { EmailDomain } from './email-domain.ts';
import { OidcProvider } from './oidc-provider.ts';
import { ProviderLabel, SamlProvider, SsoLogin } from './saml-provider.ts';
import { UnconfirmedAccount } from './unconfirmed-account.ts';

const tag = 'SAML and SSO';
const providers = '/orgs/:organizationId/saml';
const provider = '/orgs/:organizationId/saml/:samlProviderId';
const oidcProviders = '/orgs/:organizationId/oidc';
const oidcProvider = '/orgs/:organizationId/oidc/:oidcProviderId';
const domains = '/orgs/:organizationId/email-domains';
const domain = '/orgs/:organizationId/email-domains/:emailDomain';
const accounts = '/orgs/:organizationId/unconfirmed-accounts';

const Certificate = Type.String({
  maxLength: 10_000,
  description: 'An X.509 certificate with an RSA key of at least 2048 bits, in PEM or bare base64.',
});

/** What people get who come for the first time. */
const newcomers = {
  defaultTeam: Type.Optional(Type.Union([Id, Type.Null()])),
  defaultRole: Type.Optional(RoleOrGuest),
};

const fields = {
  entityID: Type.Optional(Type.String({ maxLength: 1024 })),
  certificate: Type.Optional(Certificate),
  nextCertificate: Type.Optional(
    Type.Union([Certificate, Type.Null()], {
      description: 'A second certificate that may sign as well, while the provider exchanges its own.',
    }),
  ),
  ssoURL: Type.Optional(
    Formed('^https?://', 'must be an http or https URL', { format: 'uri', maxLength: 2048 }),
  ),
  ...newcomers,
};

const oidcFields = {
  issuer: Type.Optional(
    Formed('^(https?://[^?#\\s]+)?$', 'must be an http or https URL without a query', {
      maxLength: 1024,
      description:
        'The `issuer` that the provider’s `/.well-known/openid-configuration` names, letter by letter.',
    }),
  ),
  clientID: Type.Optional(
    Formed('^[\\x20-\\x7e]*$', 'must have ASCII characters only', { maxLength: 512, 'x-trimmed': true }),
  ),
  clientSecret: Type.Optional(
    Type.Union(
      [Formed('^[\\x20-\\x7e]+$', 'must have ASCII characters only', { maxLength: 2048 }), Type.Null()],
      { description: 'Stored encrypted and never shown; null for a client without one.' },
    ),
  ),
  scopes: Type.Optional(
    Type.Array(Formed('^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', 'must be one word', { maxLength: 200 }), {
      maxItems: 20,
      description: 'What sign-ins ask for; `openid` is always among them.',
    }),
  ),
  ...newcomers,
};

export const signInOperations = {
  listSamlProviders: defineOperation({
    id: 'listSAMLProvidersInOrganizationById',
    method: 'GET',
    path: providers,
    tag,
    summary: 'List the SAML providers of an organization.',
    query: Paging,
    responses: { 200: ListOf(SamlProvider) },
    errors: ['role-too-low'],
  }),

  createSamlProvider: defineOperation({
    id: 'createOrganizationSAMLProvider',
    method: 'POST',
    path: providers,
    tag,
    summary: 'Add a SAML provider.',
    description:
      'With `label` alone it has the addresses that the provider needs (`service`); nobody signs in until `entityID`, `ssoURL` and `certificate` are there.',
    body: Type.Object({ label: ProviderLabel, ...fields }, { additionalProperties: false }),
    responses: { 201: SamlProvider },
    errors: ['role-too-low'],
  }),

  getSamlProvider: defineOperation({
    id: 'getOrganizationSAMLProviderById',
    method: 'GET',
    path: provider,
    tag,
    summary: 'Read a SAML provider.',
    responses: { 200: SamlProvider },
    errors: ['role-too-low'],
  }),

  updateSamlProvider: defineOperation({
    id: 'updateOrganizationSAMLProvider',
    method: 'PATCH',
    path: provider,
    tag,
    summary: 'Change a SAML provider; what is absent stays as it is.',
    description: 'Another `entityID` makes it `pending` again: it is another provider.',
    body: Type.Object({ label: Type.Optional(ProviderLabel), ...fields }, { additionalProperties: false }),
    responses: { 200: SamlProvider },
    errors: ['role-too-low', 'last-provider'],
  }),

  deleteSamlProvider: defineOperation({
    id: 'deleteOrganizationSAMLProvider',
    method: 'DELETE',
    path: provider,
    tag,
    summary: 'Delete a SAML provider, and end the sessions and tokens that passed it.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'last-provider'],
  }),

  listOidcProviders: defineOperation({
    id: 'listOIDCProvidersInOrganization',
    method: 'GET',
    path: oidcProviders,
    tag,
    summary: 'List the OpenID Connect providers of an organization.',
    query: Paging,
    responses: { 200: ListOf(OidcProvider) },
    errors: ['role-too-low'],
    extension: true,
  }),

  createOidcProvider: defineOperation({
    id: 'createOIDCProviderInOrganization',
    method: 'POST',
    path: oidcProviders,
    tag,
    summary: 'Add an OpenID Connect provider.',
    description:
      'With `label` alone it has the address that the provider needs (`service.redirectURL`); nobody signs in until `issuer` and `clientID` are there.',
    body: Type.Object({ label: ProviderLabel, ...oidcFields }, { additionalProperties: false }),
    responses: { 201: OidcProvider },
    errors: ['role-too-low'],
    extension: true,
  }),

  getOidcProvider: defineOperation({
    id: 'getOIDCProviderInOrganization',
    method: 'GET',
    path: oidcProvider,
    tag,
    summary: 'Read an OpenID Connect provider.',
    responses: { 200: OidcProvider },
    errors: ['role-too-low'],
    extension: true,
  }),

  updateOidcProvider: defineOperation({
    id: 'updateOIDCProviderInOrganization',
    method: 'PATCH',
    path: oidcProvider,
    tag,
    summary: 'Change an OpenID Connect provider; what is absent stays as it is.',
    description:
      'Another `issuer` makes it `pending` again, and ends the sessions that began there: it is another provider. Its `clientSecret` is forgotten then, unless a new one comes with it.',
    body: Type.Object(
      { label: Type.Optional(ProviderLabel), ...oidcFields },
      { additionalProperties: false },
    ),
    responses: { 200: OidcProvider },
    errors: ['role-too-low', 'last-provider'],
    extension: true,
  }),

  deleteOidcProvider: defineOperation({
    id: 'deleteOIDCProviderInOrganization',
    method: 'DELETE',
    path: oidcProvider,
    tag,
    summary: 'Delete an OpenID Connect provider, and end the sessions that began there.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low', 'last-provider'],
    extension: true,
  }),

  listSsoLogins: defineOperation({
    id: 'listSSOProviderLoginsInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/sso',
    tag,
    summary: 'List where the members of an organization sign in.',
    responses: { 200: Type.Object({ items: Type.Array(SsoLogin) }) },
  }),

  listEmailDomains: defineOperation({
    id: 'listEmailDomainsInOrganization',
    method: 'GET',
    path: domains,
    tag,
    summary: 'List the e-mail domains that an organization claims, with the records that prove them.',
    query: Paging,
    responses: { 200: ListOf(EmailDomain) },
    errors: ['role-too-low'],
    extension: true,
  }),

  claimEmailDomain: defineOperation({
    id: 'claimEmailDomainForOrganization',
    method: 'PUT',
    path: domain,
    tag,
    summary: 'Claim an e-mail domain; a claim that is there stays as it is.',
    responses: { 200: EmailDomain },
    errors: ['role-too-low'],
    extension: true,
  }),

  proveEmailDomain: defineOperation({
    id: 'proveEmailDomainOfOrganization',
    method: 'POST',
    path: `${domain}/prove`,
    tag,
    summary: 'Look for the record that proves a domain.',
    responses: { 200: EmailDomain },
    errors: ['role-too-low', 'domain-not-proved'],
    extension: true,
  }),

  deleteEmailDomain: defineOperation({
    id: 'deleteEmailDomainOfOrganization',
    method: 'DELETE',
    path: domain,
    tag,
    summary: 'Withdraw the claim of an e-mail domain; people who signed in before still can.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),

  listUnconfirmedAccounts: defineOperation({
    id: 'listUnconfirmedAccountsInOrganization',
    method: 'GET',
    path: accounts,
    tag,
    summary:
      'List the accounts that keep an address of a proved domain from being signed in with, oldest first.',
    description:
      'Accounts of people who are no members, with an address in a domain that the organization has proved, which nobody has confirmed, and with a password or another way in. No provider signs anybody in with such an address until their owner links the account there, or it is released.',
    query: Paging,
    responses: { 200: ListOf(UnconfirmedAccount) },
    errors: ['role-too-low'],
    extension: true,
  }),

  releaseUnconfirmedAccount: defineOperation({
    id: 'releaseUnconfirmedAccountInOrganization',
    method: 'DELETE',
    path: `${accounts}/:userId`,
    tag,
    summary: 'End every way into such an account: whoever a provider signs in with its address has it then.',
    description:
      'Its password, sessions, recovery codes, other sign-ins and own tokens end, and its name becomes the first part of the address. 204 also for an account that is not, or no longer, in the list.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
