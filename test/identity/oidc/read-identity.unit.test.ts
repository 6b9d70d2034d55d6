import { describe, expect, it } from 'vitest';
import { type Claims, needsUserinfo, readIdentity } from '../../../src/identity/oidc/read-identity.ts';

const GOOGLE = 'https://accounts.google.com';
const ENTRA = 'https://login.microsoftonline.com/3f2b8f4e-0000-4000-8000-000000000001/v2.0';
const OKTA = 'https://corp.okta.com';
const KEYCLOAK = 'https://id.corp.example/realms/staff';

const read = (issuer: string, claims: Claims, userinfo: Claims | null = null) =>
  readIdentity({ label: 'Corp', issuer }, { sub: '1', iss: issuer, ...claims }, userinfo);

describe('an address', () => {
  const cases: readonly [string, string, Claims, Claims | null, string | RegExp][] = [
    [
      'of Google counts in its own organization',
      GOOGLE,
      { email: 'Ada@Corp.example', email_verified: true, hd: 'corp.example' },
      null,
      'Ada@Corp.example',
    ],
    [
      'of Google without an organization does not count',
      GOOGLE,
      { email: 'ada@corp.example', email_verified: true },
      null,
      /claim hd/,
    ],
    [
      'of Google in another organization does not count',
      GOOGLE,
      { email: 'ada@corp.example', email_verified: true, hd: 'other.example' },
      null,
      /claim hd/,
    ],
    [
      'of Entra without the claim that its domain is the tenant’s does not count; the name of the member does',
      ENTRA,
      { email: 'ceo@corp.example', preferred_username: 'ada@corp.example' },
      null,
      'ada@corp.example',
    ],
    [
      'of Entra counts with that claim',
      ENTRA,
      { email: 'ada@corp.example', xms_edov: true, preferred_username: 'ada1@corp.onmicrosoft.com' },
      null,
      'ada@corp.example',
    ],
    [
      'of Entra counts with that claim as a text',
      ENTRA,
      { email: 'ada@corp.example', xms_edov: '1' },
      null,
      'ada@corp.example',
    ],
    [
      'of Entra does not count where that claim says no',
      ENTRA,
      { email: 'ceo@corp.example', xms_edov: false, preferred_username: 'ada@corp.example' },
      null,
      'ada@corp.example',
    ],
    [
      'of a guest at Entra does not count, nor their name',
      ENTRA,
      {
        email: 'ceo@corp.example',
        preferred_username: 'ceo@corp.example',
        idp: 'https://sts.windows.net/x/',
      },
      null,
      /xms_edov/,
    ],
    ['of Entra may be absent', ENTRA, { preferred_username: '+1 555 0100' }, null, /xms_edov/],
    [
      'of Entra with email_verified alone does not count',
      ENTRA,
      { email: 'ceo@corp.example', email_verified: true },
      null,
      /xms_edov/,
    ],
    [
      'of Okta comes from userinfo',
      OKTA,
      { preferred_username: 'ada' },
      { sub: '1', email: 'ada@corp.example', email_verified: true },
      'ada@corp.example',
    ],
    [
      'of Keycloak counts when it is verified',
      KEYCLOAK,
      { email: 'ada@corp.example', email_verified: true },
      null,
      'ada@corp.example',
    ],
    [
      'of Keycloak does not count when it is not',
      KEYCLOAK,
      { email: 'ceo@corp.example', email_verified: false },
      null,
      /ceo@corp\.example is verified/,
    ],
    [
      'is not verified by what another answer says of another address',
      KEYCLOAK,
      { email: 'ada@corp.example', email_verified: true },
      { sub: '1', email: 'ceo@corp.example' },
      /ceo@corp\.example is verified/,
    ],
    [
      'that is none does not count',
      KEYCLOAK,
      { email: ['a@b.example'], email_verified: true },
      null,
      /claim email\./,
    ],
    ['may be absent', KEYCLOAK, { email_verified: true }, null, /claim email\./],
  ];

  it.each(cases)('%s', (_, issuer, claims, userinfo, expected) => {
    const { email, emailProblem } = read(issuer, claims, userinfo);
    if (typeof expected === 'string') expect([email, emailProblem]).toEqual([expected, undefined]);
    else expect([email, emailProblem]).toEqual([null, expect.stringMatching(expected)]);
  });
});

it('a name is the whole one, or put together', () => {
  const name = (claims: Claims, userinfo: Claims | null = null) => read(OKTA, claims, userinfo).displayName;
  expect(name({ name: 'Ada Lovelace', given_name: 'A' })).toBe('Ada Lovelace');
  expect(name({ given_name: 'Ada', family_name: 'Lovelace' })).toBe('Ada Lovelace');
  expect(name({}, { name: 'Ada' })).toBe('Ada');
  expect(name({ name: ' ' })).toBeNull();
});

it('userinfo is asked for what the ID token leaves open, and never at Entra, where it says less', () => {
  expect(needsUserinfo(OKTA, { sub: '1' })).toBe(true);
  expect(needsUserinfo(OKTA, { email: 'a@b.example' })).toBe(true);
  expect(needsUserinfo(OKTA, { email: 'a@b.example', email_verified: false })).toBe(false);
  expect(needsUserinfo(ENTRA, { sub: '1' })).toBe(false);
});
