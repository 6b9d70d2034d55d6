/** The addresses of this server that a provider of OpenID Connect, and those who sign in there, have to know. */
export interface OidcService {
  readonly redirectURL: string;
  readonly startURL: string;
}

/** Each provider has an address of its own, so that no other one can send its answer there (RFC 9700, 4.4.2). */
export function oidcServiceOf(publicUrl: string, providerId: string): OidcService {
  const base = `${publicUrl}/oidc/${encodeURIComponent(providerId)}`;
  return { redirectURL: `${base}/callback`, startURL: `${base}/start` };
}

/** What sign-ins ask for where an organization chose nothing else. */
export const DEFAULT_SCOPES = ['openid', 'email', 'profile'] as const;
