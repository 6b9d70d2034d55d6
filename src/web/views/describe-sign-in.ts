const WAYS: ReadonlyMap<string, string> = new Map([
  ['token', 'API token'],
  ['password', 'Password'],
  ['mail', 'Link by mail'],
  ['set-up', 'Set-up address'],
  ['recovery', 'Recovery code'],
  ['github', 'GitHub'],
  ['oidc', 'OpenID Connect'],
  ['saml', 'SAML'],
]);

/** How a session was begun, in words for people. */
export function describeSignIn(provider: string): string {
  return WAYS.get(provider) ?? provider;
}
