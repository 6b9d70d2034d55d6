import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { verifyVisitorToken } from '../../src/sites/visitor/verify-visitor-token.ts';

const now = new Date('2026-11-01T12:00:00Z');
const seconds = now.getTime() / 1000;
const KEY = 'a-key-of-the-site-0123456789abcdef';
const OLD_KEY = 'the-key-before-0123456789abcdefgh';
const expected = { keys: [KEY, OLD_KEY], audiences: ['site1', 'https://docs.example.com/'], now };
const bytes = (key: string) => new TextEncoder().encode(key);
const jwt = (claims: Record<string, unknown> = {}) =>
  new SignJWT({ plan: 'pro', exp: seconds + 3600, ...claims }).setProtectedHeader({ alg: 'HS256' });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token is accepted', () => {
  test.each([
    ['with an expiry', jwt().sign(bytes(KEY))],
    ['by the key before', jwt().sign(bytes(OLD_KEY))],
    ['for the site', jwt({ aud: 'site1' }).sign(bytes(KEY))],
    [
      'for several, the address of the site among them',
      jwt({ aud: ['x', 'https://docs.example.com/'] }).sign(bytes(KEY)),
    ],
    ['by a clock that is half a minute behind', jwt({ exp: seconds - 30 }).sign(bytes(KEY))],
  ])('%s', async (_name, token) => {
    expect(await verifyVisitorToken(await token, expected)).toMatchObject({ claims: { plan: 'pro' } });
  });

  test('without what only browsers say, and without what JWT says of itself', async () => {
    const token = await jwt({ unsigned: { plan: 'x' }, iss: 'me', sub: 'you' }).sign(bytes(KEY));
    expect(await verifyVisitorToken(token, expected)).toEqual({
      claims: { plan: 'pro' },
      expiresAt: new Date(now.getTime() + 3_600_000),
    });
  });
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signed = jwt().sign(bytes(KEY));

const HOSTILE: readonly (readonly [string, () => Promise<string> | string, RegExp])[] = [
  [
    'algorithm none',
    () => new UnsecuredJWT({ exp: seconds + 60 }).encode(),
    /another algorithm|not a signed JWT/,
  ],
  [
    'algorithm none in other letters',
    () => `${encode({ alg: 'nOnE' })}.${encode({ exp: seconds + 60 })}.`,
    /algorithm|not a signed/,
  ],
  [
    'another algorithm by the same key',
    () => new SignJWT({ exp: seconds + 60 }).setProtectedHeader({ alg: 'HS512' }).sign(bytes(KEY + KEY)),
    /another algorithm/,
  ],
  [
    'an RSA key',
    () => new SignJWT({ exp: seconds + 60 }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
    /another algorithm/,
  ],
  [
    'a key of somebody else',
    () => jwt().sign(bytes('somebody-elses-key-0123456789abcdef')),
    /not signed with the key/,
  ],
  ['an empty key', () => jwt().sign(bytes('x'.repeat(32))), /not signed with the key/],
  [
    'a changed payload',
    async () => {
      const [head, , sign] = (await signed).split('.');
      return `${head}.${encode({ plan: 'all', exp: seconds + 60 })}.${sign}`;
    },
    /not signed with the key/,
  ],
  ['a signature that was cut', async () => (await signed).slice(0, -4), /not signed|not a signed/],
  ['no signature', async () => (await signed).replace(/\.[^.]*$/, '.'), /not signed|not a signed/],
  ['two parts', async () => (await signed).split('.').slice(0, 2).join('.'), /not a signed JWT/],
  [
    'no expiry',
    () => new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(bytes(KEY)),
    /no valid “exp”/,
  ],
  [
    'an expiry in words',
    () =>
      jwt({ exp: 'tomorrow' })
        .sign(bytes(KEY))
        .catch(() => 'x.y.z'),
    /exp|not a signed/,
  ],
  ['an expiry that is over', () => jwt({ exp: seconds - 120 }).sign(bytes(KEY)), /has expired/],
  ['an expiry in years', () => jwt({ exp: seconds + 365 * 86_400 }).sign(bytes(KEY)), /longer than 24 hours/],
  ['an expiry after all time', () => jwt({ exp: 1e15 }).sign(bytes(KEY)), /longer than 24 hours/],
  ['a beginning in the future', () => jwt({ nbf: seconds + 3600 }).sign(bytes(KEY)), /not valid yet/],
  ['another audience', () => jwt({ aud: 'site2' }).sign(bytes(KEY)), /another site/],
  ['an empty audience', () => jwt({ aud: [] }).sign(bytes(KEY)), /another site/],
  ['more bytes than cookies have', () => jwt({ long: 'x'.repeat(5_000) }).sign(bytes(KEY)), /longer than/],
  [
    'a critical header that nobody knows',
    () => `${encode({ alg: 'HS256', crit: ['x'], x: 1 })}.${encode({ exp: seconds + 60 })}.AAAA`,
    /not a signed JWT/,
  ],
  ['no text at all', () => '', /not a signed JWT/],
  ['an array', () => `${encode({ alg: 'HS256' })}.${encode([1])}.AAAA`, /not signed|not a signed/],
];

test.each(HOSTILE)('a token with %s is refused', async (_name, make, reason) => {
  const result = await verifyVisitorToken(await make(), expected);
  expect(result).toEqual({ refusal: expect.stringMatching(reason) });
});

test('no token is accepted by a site without keys', async () => {
  expect(await verifyVisitorToken(await signed, { ...expected, keys: [] })).toMatchObject({
    refusal: expect.stringMatching(/no key/),
  });
});
