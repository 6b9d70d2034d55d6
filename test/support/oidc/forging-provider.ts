import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** What a test makes of one request; undefined for the honest answer. */
export interface ForgedAnswer {
  readonly status?: number;
  readonly type?: string;
  /** Sent as it is when it is a text, as JSON otherwise. */
  readonly body: unknown;
}

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

/** An OpenID Connect provider that answers whatever a test tells it to, over http on this machine. */
export async function startForgingProvider() {
  const [key, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const publicKey = { ...(await exportJWK(key.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const forged = new Map<string, () => ForgedAnswer | Promise<ForgedAnswer>>();
  const requests: string[] = [];
  const tokenRequests: TokenRequest[] = [];

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(pathname);
    if (pathname === '/token')
      tokenRequests.push({
        form: new URLSearchParams(Buffer.concat(chunks).toString()),
        authorization: request.headers.authorization,
      });
    const answer = (await forged.get(pathname)?.()) ?? honest(pathname);
    if (response.destroyed) return;
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  };

  function honest(path: string): ForgedAnswer {
    if (path === '/.well-known/openid-configuration') return { body: metadata };
    if (path === '/jwks') return { body: { keys: [publicKey] } };
    return { status: 404, body: {} };
  }

  return {
    issuer,
    metadata,
    publicKey,
    requests,
    tokenRequests,
    /** Answers this path with what the function returns, from now on. */
    forge(path: string, answer: () => ForgedAnswer | Promise<ForgedAnswer>): void {
      forged.set(path, answer);
    },
    /** Is honest again. */
    reset(): void {
      forged.clear();
    },
    async sign(
      claims: JWTPayload,
      { isForeign = false, kid = 'one' }: { readonly isForeign?: boolean; readonly kid?: string } = {},
    ): Promise<string> {
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(isForeign ? other.privateKey : key.privateKey);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type ForgingProvider = Awaited<ReturnType<typeof startForgingProvider>>;
