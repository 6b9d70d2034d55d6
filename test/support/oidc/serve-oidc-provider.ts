import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Payload } from 'oidc-provider';

/** The client of Docloom at the provider. */
export const OIDC_CLIENT = {
  clientID: 'docloom',
  clientSecret: 'a-secret-of-32-characters-or-more',
} as const;

export interface ServedOidcProvider {
  readonly issuer: string;
  /** Adds an address of Docloom to which people may be sent back. */
  register(redirectURL: string): void;
  close(): Promise<void>;
}

/**
 * A real OpenID Connect provider on this machine, with a page where somebody agrees to sign in. Like most, it says who somebody
 * is in userinfo only. Its host is `localhost`, which for a browser is another site than 127.0.0.1.
 */
export async function serveOidcProvider(people: {
  /** Who signs in next. */
  readonly accountId: () => string;
  /** What the provider says about them. */
  readonly claimsOf: (accountId: string) => Readonly<Record<string, unknown>>;
}): Promise<ServedOidcProvider> {
  const redirectUris: string[] = [];
  let provider: Provider | null = null;
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      provider?.callback()(request, response);
    } else if (request.method === 'POST') {
      await provider?.interactionFinished(request, response, { login: { accountId: people.accountId() } });
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>
<form method="post" action="${request.url}"><button type="submit">Agree</button></form>`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  provider = new Provider(issuer, {
    adapter: openMemory(redirectUris),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', use: 'sig', alg: 'RS256' }] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    cookies: { keys: ['a key of the test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.claimsOf(accountId) }),
    }),
    // People agree once, by signing in.
    async loadExistingGrant({ oidc }: GrantContext) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return {
    issuer,
    register: (redirectURL) => void redirectUris.push(redirectURL),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: Provider;
  };
}

/** Where the provider stores everything: in this process, for as long as it runs. */
function openMemory(redirectUris: readonly string[]) {
  const rows = new Map<string, Payload>();
  const client: Payload = {
    client_id: OIDC_CLIENT.clientID,
    client_secret: OIDC_CLIENT.clientSecret,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'client_secret_post',
  };
  return (model: string) => ({
    upsert: async (id: string, payload: Payload) => void rows.set(`${model} ${id}`, payload),
    find: async (id: string) =>
      model === 'Client' ? { ...client, redirect_uris: [...redirectUris] } : rows.get(`${model} ${id}`),
    findByUid: async (uid: string) => [...rows.values()].find((row) => row['uid'] === uid),
    consume: async (id: string) => {
      const row = rows.get(`${model} ${id}`);
      if (row !== undefined) row['consumed'] = Math.floor(Date.now() / 1000);
    },
    destroy: async (id: string) => void rows.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId: string) => {
      for (const [key, row] of rows) if (row['grantId'] === grantId) rows.delete(key);
    },
  });
}
