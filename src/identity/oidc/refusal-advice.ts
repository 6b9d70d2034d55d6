import type { OidcRefusalReason } from './refusal.ts';

/** What to change when a provider's answer is refused, for the administrator who tries it out. */
export const oidcRefusalAdvice: Readonly<Record<OidcRefusalReason, string>> = {
  'not-requested':
    'Let the provider return “state” as it was sent, and begin at the start URL here: sign-ins that begin at the provider are off.',
  'request-used': 'Begin the test again, and do not load the page of the answer twice.',
  'other-browser': 'Begin and end the test in the same browser, with cookies on.',
  'other-provider':
    'Enter the redirect URL of this provider there; another one of this server has got the answer. If its issuer was changed meanwhile, begin the test again.',
  denied:
    'Assign the user to the application at the provider, allow the authorization code flow and the scopes that are entered here, and look into the provider’s own log.',
  unreachable:
    'Enter the issuer as the provider names it, and let this server reach it over https. One in your own network, or without https, has to be named in ALLOWED_HOSTS.',
  discovery:
    'Open the issuer followed by /.well-known/openid-configuration in a browser: it has to show a JSON document with the addresses of the provider. At Keycloak the issuer ends with /realms/ and the realm, at Entra ID with the tenant and /v2.0.',
  'other-issuer':
    'Enter the issuer exactly as the provider’s description names it. At Entra ID the address has to contain the id of your own tenant instead of “common” or “organizations”.',
  client:
    'Enter the client ID and the client secret again, the value of the secret and not its id, and make a new one at the provider if it has expired. A client without a secret has to be a public one there.',
  'token-refused':
    'Enter the redirect URL at the provider, exactly as the provider’s page here shows it, allow the grant type “authorization code”, and begin the test again.',
  'no-id-token': 'Allow the scope openid for the client at the provider: without it this is OAuth 2.0 alone.',
  malformed:
    'Choose OpenID Connect, a web application, and the authorization code flow (response type code, response mode query) at the provider, and look for a program in between that changes what it sends.',
  algorithm:
    'Choose a signature with a key pair, such as RS256, for the ID token at the provider, no encryption, and the authorization code flow alone.',
  signature:
    'Begin the test again: providers change their keys. If that does not help, look for a program in between that changes what the provider sends.',
  issuer:
    'Enter the issuer that the provider sent, if it is the right provider. At Entra ID its address ends with /v2.0.',
  audience:
    'Enter the client ID of this application, and let the provider name it as the only audience of the ID token.',
  nonce: 'Let the provider copy “nonce” into the ID token as it was sent, and begin the test again.',
  expired: 'Set the clocks of both servers by a time server.',
  early: 'Set the clocks of both servers by a time server.',
  subject:
    'Let the provider send one identifier (sub) of at most 255 characters that stays the same for the user.',
  userinfo:
    'Let the client read userinfo at the provider, about the user who signed in, or let the ID token have the claims email and email_verified.',
};
