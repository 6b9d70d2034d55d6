import { SignJWT } from 'jose';
import type { ForgedAnswer, ForgingProvider } from './forging-provider.ts';

/** What an honest ID token would say. */
export interface IdClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly nonce: string;
  readonly iat: number;
  readonly exp: number;
  readonly email: string;
  readonly email_verified: boolean;
}

export interface Forgery {
  readonly name: string;
  /** The refusal in the audit log. */
  readonly reason: string;
  /** Changes the query with which the browser comes back. */
  readonly query?: (honest: URLSearchParams) => void;
  /** The token endpoint’s answer. */
  readonly token?: (claims: IdClaims) => ForgedAnswer | Promise<ForgedAnswer>;
  /** What else the provider answers. */
  readonly others?: Readonly<Record<string, () => ForgedAnswer>>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Answers of which none may sign anybody in. */
export function listForgeries(provider: ForgingProvider): readonly Forgery[] {
  const tokens = (idToken: unknown): ForgedAnswer => ({
    body: { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken },
  });
  const claiming =
    (change: (claims: IdClaims) => object): Forgery['token'] =>
    async (claims) =>
      tokens(await provider.sign({ ...claims, ...change(claims) }));
  const refusing = (status: number, body: unknown, type?: string) => (): ForgedAnswer => ({
    status,
    body,
    ...(type === undefined ? {} : { type }),
  });

  return [
    {
      name: 'an unsigned token',
      reason: 'algorithm',
      token: (claims) => tokens(`${encode({ alg: 'none' })}.${encode(claims)}.`),
    },
    {
      name: 'an unsigned token with another case',
      reason: 'algorithm',
      token: (claims) => tokens(`${encode({ alg: 'NonE' })}.${encode(claims)}.`),
    },
    {
      name: 'a signature with the client secret',
      reason: 'algorithm',
      token: async (claims) =>
        tokens(
          await new SignJWT({ ...claims })
            .setProtectedHeader({ alg: 'HS256' })
            .sign(Buffer.from('hush-hush-hush-hush-hush-hush-hush')),
        ),
    },
    {
      name: 'a signature with the public key as a secret',
      reason: 'algorithm',
      token: async (claims) =>
        tokens(
          await new SignJWT({ ...claims })
            .setProtectedHeader({ alg: 'HS256', kid: 'one' })
            .sign(Buffer.from(JSON.stringify(provider.publicKey))),
        ),
    },
    {
      name: 'another key under the id of a known one',
      reason: 'signature',
      token: async (claims) => tokens(await provider.sign({ ...claims }, { isForeign: true })),
    },
    {
      name: 'a key of an unknown id',
      reason: 'signature',
      token: async (claims) => tokens(await provider.sign({ ...claims }, { isForeign: true, kid: 'two' })),
    },
    {
      name: 'a signature of other claims',
      reason: 'signature',
      token: async (claims) => {
        const [header, , signature] = (await provider.sign({ ...claims })).split('.');
        return tokens(`${header}.${encode({ ...claims, sub: 'somebody else' })}.${signature}`);
      },
    },
    {
      name: 'a signature that is cut off',
      reason: 'signature',
      token: async (claims) => tokens((await provider.sign({ ...claims })).replace(/[^.]+$/, '')),
    },
    {
      name: 'another audience',
      reason: 'audience',
      token: claiming(() => ({ aud: 'other-client' })),
    },
    {
      name: 'no audience',
      reason: 'malformed',
      token: claiming(() => ({ aud: undefined })),
    },
    {
      name: 'a second audience',
      reason: 'audience',
      token: claiming(({ aud }) => ({ aud: [aud, 'other-client'] })),
    },
    {
      name: 'a second audience that is the authorized party',
      reason: 'audience',
      token: claiming(({ aud }) => ({ aud: [aud, 'other-client'], azp: 'other-client' })),
    },
    {
      name: 'another issuer',
      reason: 'issuer',
      token: claiming(() => ({ iss: 'https://other.example' })),
    },
    {
      name: 'no issuer',
      reason: 'issuer',
      token: claiming(() => ({ iss: undefined })),
    },
    {
      name: 'the nonce of another request',
      reason: 'nonce',
      token: claiming(() => ({ nonce: 'x'.repeat(43) })),
    },
    { name: 'no nonce', reason: 'nonce', token: claiming(() => ({ nonce: undefined })) },
    {
      name: 'an end in the past',
      reason: 'expired',
      token: claiming(({ iat }) => ({ iat: iat - 7200, exp: iat - 3600 })),
    },
    { name: 'no end', reason: 'malformed', token: claiming(() => ({ exp: undefined })) },
    {
      name: 'a begin in the future',
      reason: 'early',
      token: claiming(({ iat }) => ({ nbf: iat + 3600 })),
    },
    { name: 'no subject', reason: 'subject', token: claiming(() => ({ sub: undefined })) },
    { name: 'an empty subject', reason: 'subject', token: claiming(() => ({ sub: '' })) },
    { name: 'a long subject', reason: 'subject', token: claiming(() => ({ sub: 'x'.repeat(256) })) },
    { name: 'a subject that is a number', reason: 'subject', token: claiming(() => ({ sub: 7 })) },
    { name: 'no ID token', reason: 'no-id-token', token: () => tokens(undefined) },
    { name: 'an ID token that is none', reason: 'malformed', token: () => tokens('hello') },
    {
      name: 'an encrypted ID token',
      reason: 'algorithm',
      token: () => tokens(`${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`),
    },
    {
      name: 'a critical header that is unknown',
      reason: 'algorithm',
      token: (claims) =>
        tokens(`${encode({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })}.${encode(claims)}.AA`),
    },
    {
      name: 'a refusal of the code',
      reason: 'token-refused',
      token: refusing(400, { error: 'invalid_grant' }),
    },
    {
      name: 'a refusal of the client',
      reason: 'client',
      token: refusing(401, { error: 'invalid_client' }),
    },
    {
      name: 'a page instead of a token',
      reason: 'malformed',
      token: refusing(200, '<!doctype html>', 'text/html'),
    },
    { name: 'an internal error', reason: 'malformed', token: refusing(500, 'oops', 'text/plain') },
    {
      name: 'a redirect to somewhere else',
      reason: 'malformed',
      token: refusing(307, '', 'text/plain'),
    },
    {
      name: 'more than it may send',
      reason: 'unreachable',
      token: refusing(200, `"${'x'.repeat(1_000_000)}"`),
    },
    {
      name: 'userinfo of somebody else',
      reason: 'userinfo',
      token: claiming(() => ({ email: undefined })),
      others: {
        '/userinfo': () => ({
          body: { sub: 'somebody else', email: 'ceo@corp.example', email_verified: true },
        }),
      },
    },
    {
      name: 'no userinfo',
      reason: 'userinfo',
      token: claiming(() => ({ email: undefined })),
      others: { '/userinfo': () => ({ status: 500, body: {} }) },
    },
    {
      name: 'an answer of another issuer',
      reason: 'issuer',
      query: (query) => query.set('iss', 'https://other.example'),
    },
    {
      name: 'an answer of two issuers',
      reason: 'issuer',
      query: (query) => query.append('iss', 'https://other.example'),
    },
    { name: 'no code', reason: 'malformed', query: (query) => query.delete('code') },
    { name: 'two codes', reason: 'malformed', query: (query) => query.append('code', 'other') },
    {
      name: 'a token in the address',
      reason: 'algorithm',
      query: (query) => query.set('id_token', 'a.b.c'),
    },
    {
      name: 'a refusal of the user',
      reason: 'denied',
      query: (query) => {
        query.delete('code');
        query.set('error', 'access_denied');
        query.set('error_description', 'Call 555-0100 to fix your account');
      },
    },
  ];
}
