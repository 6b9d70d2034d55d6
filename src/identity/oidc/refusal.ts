import { SignInRefusal } from '../providers/sign-in-refusal.ts';

/** Why a sign-in by OpenID Connect is refused, each in one sentence for the audit log and for administrators. */
const reasons = {
  'not-requested': 'Nobody began this sign-in here: sign-ins that begin at the provider are off.',
  'request-used': 'The request was answered before, or more than 10 minutes ago.',
  'other-browser': 'The answer comes from another browser than the one that began to sign in.',
  'other-provider': 'The request was sent to another provider, or the provider was changed meanwhile.',
  denied: 'The provider did not sign the user in.',
  unreachable: 'The provider could not be reached, or did not answer in time.',
  discovery: 'The issuer has no description that can be used at /.well-known/openid-configuration.',
  'other-issuer': 'The provider calls itself by another name than the issuer that is entered here.',
  client: 'The provider did not accept the client; compare its id and secret.',
  'token-refused': 'The provider did not exchange the code for a token.',
  'no-id-token': 'The provider sent no ID token; the scope openid must be allowed for the client.',
  malformed: 'The answer of the provider is not one of OpenID Connect.',
  algorithm: 'The ID token is unsigned, or signed with an algorithm that the provider does not announce.',
  signature: 'The signature of the ID token matches none of the provider’s keys.',
  issuer: 'The answer comes from another issuer than the one that is entered here.',
  audience: 'The ID token is meant for another client.',
  nonce: 'The ID token does not answer the request that this browser began.',
  expired: 'The ID token has expired; compare the clocks of both servers.',
  early: 'The ID token is not valid yet; compare the clocks of both servers.',
  subject: 'The ID token names no user (sub), or in more than 255 characters.',
  userinfo: 'The provider did not describe the user (userinfo).',
} as const;

export type OidcRefusalReason = keyof typeof reasons;

/** The answer of a provider signs nobody in. The message is for administrators; people are shown less. */
export class OidcRefusal extends SignInRefusal<OidcRefusalReason> {
  override readonly name = 'OidcRefusal';

  constructor(reason: OidcRefusalReason, options?: ErrorOptions & { readonly detail?: string | undefined }) {
    super(reasons, reason, options);
  }
}
