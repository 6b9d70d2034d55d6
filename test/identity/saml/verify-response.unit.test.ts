import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readResponse } from '../../../src/identity/saml/read-response.ts';
import { SamlRefusal } from '../../../src/identity/saml/refusal.ts';
import { serviceOf } from '../../../src/identity/saml/service.ts';
import { verifyResponse } from '../../../src/identity/saml/verify-response.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createSigningKey } from '../../support/saml/certificate.ts';
import { listForgeries } from '../../support/saml/forgeries.ts';
import {
  type Answer,
  createIdentityProvider,
  encode,
  idOf,
  type Signing,
} from '../../support/saml/identity-provider.ts';

const publicUrl = 'https://docs.example';
const now = new Date('2026-11-20T08:00:00.000Z');
const idp = createIdentityProvider();
const provider = {
  id: 'p1',
  entityId: idp.entityId,
  ssoUrl: 'https://idp.example/sso',
  certificates: [idp.certificate],
};
const to = { ...serviceOf(publicUrl, provider.id), requestId: '_request1', now };
const expected = { provider, publicUrl, requestId: to.requestId, now };

function signed(
  elements: readonly ('Response' | 'Assertion')[],
  changes?: Partial<Answer>,
  signing?: Signing,
) {
  // The assertion first, because the signature of the response covers it.
  return elements.reduce(
    (xml, element) => idp.sign(xml, idOf(xml, element), signing),
    idp.write(to, changes),
  );
}

async function refusalOf(form: string, against = expected): Promise<string> {
  try {
    return `signed in ${(await verifyResponse(form, against)).nameId}`;
  } catch (error) {
    if (error instanceof SamlRefusal) return error.reason;
    throw error;
  }
}

describe('an answer of an identity provider', () => {
  test.each([
    ['its assertion is signed', ['Assertion']],
    ['its response is signed', ['Response']],
    ['both are signed', ['Assertion', 'Response']],
  ] as const)('signs in when %s', async (_, elements) => {
    const user = await verifyResponse(encode(signed(elements)), expected);
    expect(user).toMatchObject({ nameId: 'ada-42', expiresAt: new Date('2026-11-20T08:06:00.000Z') });
    expect(user.attributes.get('email')).toEqual(['ada@corp.example']);
  });

  test.each([
    [
      'SHA-512',
      {
        signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
        digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha512',
      },
    ],
    ['RSA-PSS', { signatureAlgorithm: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1' }],
    ['a certificate in KeyInfo', { publicCert: idp.certificate }],
  ])('signs in with %s', async (_, signing) => {
    expect(await refusalOf(encode(signed(['Assertion'], {}, signing)))).toBe('signed in ada-42');
  });

  test('signs in with a list of inclusive namespaces', async () => {
    const xml = idp.write(to);
    expect(await refusalOf(encode(idp.signInclusively(xml, idOf(xml, 'Assertion'), ['xs', 'saml'])))).toBe(
      'signed in ada-42',
    );
  });

  test.each([
    [
      'issued by a clock that is 59 s ahead',
      { issueInstant: new Date(now.getTime() + 59_000), notBefore: new Date(now.getTime() + 59_000) },
    ],
    [
      'issued by a clock that is 59 s behind',
      { notOnOrAfter: new Date(now.getTime() - 59_000), confirmationEnds: new Date(now.getTime() - 59_000) },
    ],
  ])('signs in when it was %s', async (_, changes) => {
    expect(await refusalOf(encode(signed(['Assertion'], changes)))).toBe('signed in ada-42');
  });

  test.each([
    ['begins in 61 s', 'early', { notBefore: new Date(now.getTime() + 61_000) }],
    ['was issued in 61 s', 'early', { issueInstant: new Date(now.getTime() + 61_000) }],
    ['ended 60 s ago', 'expired', { notOnOrAfter: new Date(now.getTime() - 60_000) }],
    ['was confirmed until 60 s ago', 'expired', { confirmationEnds: new Date(now.getTime() - 60_000) }],
    ['was issued 11 minutes and 1 s ago', 'expired', { issueInstant: new Date(now.getTime() - 661_000) }],
  ])('is refused when it %s', async (_, reason, changes) => {
    expect(await refusalOf(encode(signed(['Assertion'], changes)))).toBe(reason);
  });

  test('signs in with either certificate while they are exchanged, and not with the old one afterwards', async () => {
    const next = createSigningKey('next');
    const both = {
      ...expected,
      provider: { ...provider, certificates: [next.certificate, idp.certificate] },
    };
    const after = { ...expected, provider: { ...provider, certificates: [next.certificate] } };
    const old = encode(signed(['Assertion']));
    const renewed = encode(signed(['Assertion'], {}, { key: next }));
    expect(await refusalOf(old, both)).toBe('signed in ada-42');
    expect(await refusalOf(renewed, both)).toBe('signed in ada-42');
    expect(await refusalOf(old, after)).toBe('signature-invalid');
  });

  test('reads names with other characters and lines as they were signed', async () => {
    const nameId = 'Zoë & “Ünï” <ada@corp.example>';
    const xml = signed(['Assertion'], { nameId }).replaceAll(
      '><saml:AuthnStatement',
      '><saml:AuthnStatement',
    );
    expect(await refusalOf(`\r\n${encode(xml).replace(/.{76}/g, '$&\r\n')}`)).toBe(`signed in ${nameId}`);
  });

  test('of another organization’s provider is refused', async () => {
    const other = createIdentityProvider('https://other.example/saml');
    const xml = other.write(to);
    expect(await refusalOf(encode(other.sign(xml, idOf(xml, 'Assertion'))))).toBe('issuer');
    const posing = other.write(to, { issuer: idp.entityId, responseIssuer: idp.entityId });
    expect(await refusalOf(encode(other.sign(posing, idOf(posing, 'Assertion'))))).toBe('signature-invalid');
  });
});

describe('a document that', () => {
  const forgeries = listForgeries(idp, to);

  test.each(forgeries.map((forgery) => [forgery.name, forgery] as const))(
    '%s is refused',
    async (_, forgery) => {
      expect(await refusalOf(forgery.form)).toBe(forgery.reason);
    },
  );

  test.each([
    [
      'nests namespaces, which took the parser seconds',
      Array.from({ length: 6_000 }, (_, index) => `<a xmlns:p${index}="u:${index}">`).join('') +
        '</a>'.repeat(6_000),
    ],
    ['has 260,000 begins of tags', '<'.repeat(260_000)],
    ['has 65,000 elements', `<a>${'<b/>'.repeat(65_000)}</a>`],
  ])('%s is refused before it is parsed', async (_, xml) => {
    expect(await refusalOf(encode(xml))).toBe('too-complex');
  });
});

describe('whatever is changed in a signed answer', () => {
  const xml = signed(['Assertion', 'Response']);

  test('it signs in the same user or nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(xml.length - 1),
        fc.nat(12),
        fc.constantFrom(
          '',
          ' ',
          '<',
          '>',
          '"',
          'x',
          '&amp;',
          '&#x61;',
          '<x/>',
          'ID="_x"',
          'xmlns:x="urn:x"',
          '\n',
        ),
        async (position, length, text) => {
          const changed = xml.slice(0, position) + text + xml.slice(position + length);
          const outcome = await refusalOf(encode(changed));
          // White space within a tag changes nothing that is signed.
          if (outcome.startsWith('signed in')) expect(outcome).toBe('signed in ada-42');
        },
      ),
      propertyRuns(150),
    );
  });

  test('parts that are moved or doubled sign in nobody else', async () => {
    const parts = [...xml.matchAll(/<(?:saml|samlp|ds):\w+[^>]*>/g)].map(({ index }) => index);
    const evil = idp.write(to, { nameId: 'admin-1' });
    const pieces = [
      evil,
      ...(evil.match(/<saml:(Assertion|Subject|NameID|Conditions)\b.*<\/saml:\1>/gs) ?? []),
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...parts), fc.constantFrom(...pieces), async (position, piece) => {
        const outcome = await refusalOf(encode(xml.slice(0, position) + piece + xml.slice(position)));
        expect(outcome).not.toMatch(/^signed in/);
      }),
      propertyRuns(100),
    );
  });

  test('the gate refuses every text with a reason', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.string().map(encode)),
        (form) => {
          expect(() => readResponse(form)).toThrow(SamlRefusal);
        },
      ),
      propertyRuns(300),
    );
  });
});
