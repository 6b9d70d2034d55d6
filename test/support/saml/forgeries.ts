import { createHmac } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { createSigningKey } from './certificate.ts';
import {
  type Answer,
  ENVELOPED,
  EXCLUSIVE,
  encode,
  idOf,
  RSA_SHA256,
  type Signing,
  type TestIdentityProvider,
} from './identity-provider.ts';

/** To whom and in answer to what an answer is made. */
export interface Addressee {
  readonly acsURL: string;
  readonly entityID: string;
  readonly requestId: string;
  readonly now: Date;
}

/** A document that must sign nobody in, by its name and the reason that the audit log has to say. */
export interface Forgery {
  readonly name: string;
  readonly reason: string;
  /** What the form's field `SAMLResponse` has. */
  readonly form: string;
}

const foreign = createSigningKey('foreign');

/** Every document that was ever used to get past a check of signatures, and every field of a right answer made wrong. */
export function listForgeries(idp: TestIdentityProvider, to: Addressee): Forgery[] {
  const at = (seconds: number) => new Date(to.now.getTime() + seconds * 1000);
  const signAssertion = (xml: string, signing?: Signing) => idp.sign(xml, idOf(xml, 'Assertion'), signing);
  const signResponse = (xml: string, signing?: Signing) => idp.sign(xml, idOf(xml, 'Response'), signing);
  const plain = idp.write(to);
  const evil = idp.write(to, { nameId: 'admin-1', attributes: { email: 'boss@corp.example' } });
  const assertionSigned = signAssertion(plain);
  const responseSigned = signResponse(plain);
  const wrong = (name: string, reason: string, changes: Partial<Answer>): Forgery => ({
    name,
    reason,
    form: encode(signAssertion(idp.write(to, changes))),
  });
  const forged = (name: string, reason: string, xml: string): Forgery => ({
    name,
    reason,
    form: encode(xml),
  });
  const signedWith = (name: string, reason: string, signing: Signing): Forgery =>
    forged(name, reason, signAssertion(plain, signing));
  /** Changes a text that is in the document exactly as written. */
  const swap = (xml: string, from: string | RegExp, into: string): string => {
    const changed = xml.replace(from, () => into);
    if (changed === xml) throw new Error(`The document has no ${from}.`);
    return changed;
  };
  const partOf = (xml: string, pattern: RegExp): string => {
    const part = pattern.exec(xml)?.[0];
    if (part === undefined) throw new Error(`The document has no ${pattern}.`);
    return part;
  };
  const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
  const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/s;
  const evilAssertion = partOf(evil, ASSERTION);
  const original = partOf(assertionSigned, ASSERTION);
  const signature = partOf(assertionSigned, SIGNATURE);
  const withoutSignature = original.replace(SIGNATURE, () => '');
  const named = `xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"`;
  const responseSignature = partOf(responseSigned, SIGNATURE);
  const responseWithoutSignature = responseSigned.replace(SIGNATURE, () => '');
  const afterIssuer = (xml: string, addition: string) =>
    swap(xml, '</saml:Issuer>', `</saml:Issuer>${addition}`);

  return [
    forged('is not signed', 'unsigned', plain),
    signedWith('is signed with a foreign key', 'signature-invalid', { key: foreign }),
    signedWith('is signed with a foreign key whose certificate is in KeyInfo', 'signature-invalid', {
      key: foreign,
      publicCert: foreign.certificate,
    }),
    forged(
      'was changed after it was signed',
      'signature-invalid',
      swap(assertionSigned, 'ada-42', 'admin-1'),
    ),
    forged(
      'has attributes that were changed after it was signed',
      'signature-invalid',
      swap(responseSigned, 'ada@corp.example', 'boss@corp.example'),
    ),
    forged(
      'has a right signature of the response and a wrong one of the assertion',
      'signature-invalid',
      signResponse(signAssertion(plain, { key: foreign })),
    ),
    forged(
      'has a right signature of the assertion and a wrong one of the response',
      'signature-invalid',
      signResponse(assertionSigned, { key: foreign }),
    ),
    // The eight ways to wrap a signature, as they are numbered since 2012.
    forged(
      'wraps the signed response in its own signature (XSW1)',
      'not-a-response',
      afterIssuer(
        evil,
        swap(responseSignature, '</ds:Signature>', `${responseWithoutSignature}</ds:Signature>`),
      ),
    ),
    forged(
      'wraps the signed response beside its signature (XSW2)',
      'not-a-response',
      afterIssuer(evil, `${responseWithoutSignature}${responseSignature}`),
    ),
    forged(
      'puts an assertion before the signed one (XSW3)',
      'several-assertions',
      swap(assertionSigned, original, `${evilAssertion}${original}`),
    ),
    forged(
      'puts the signed assertion into another one (XSW4)',
      'several-assertions',
      swap(
        assertionSigned,
        original,
        swap(evilAssertion, '</saml:Assertion>', `${original}</saml:Assertion>`),
      ),
    ),
    forged(
      'moves the signature to another assertion (XSW5)',
      'several-assertions',
      swap(assertionSigned, original, `${afterIssuer(evilAssertion, signature)}${withoutSignature}`),
    ),
    forged(
      'puts the signed assertion into the signature of another one (XSW6)',
      'several-assertions',
      swap(
        assertionSigned,
        original,
        afterIssuer(evilAssertion, swap(signature, '</ds:Signature>', `${withoutSignature}</ds:Signature>`)),
      ),
    ),
    forged(
      'puts an assertion into extensions (XSW7)',
      'several-assertions',
      swap(
        assertionSigned,
        '<samlp:Status>',
        `<samlp:Extensions>${evilAssertion}</samlp:Extensions><samlp:Status>`,
      ),
    ),
    forged(
      'puts the signed assertion into an object of the signature (XSW8)',
      'several-assertions',
      swap(
        assertionSigned,
        original,
        afterIssuer(
          evilAssertion,
          swap(signature, '</ds:Signature>', `<ds:Object>${withoutSignature}</ds:Object></ds:Signature>`),
        ),
      ),
    ),
    forged(
      'has a second assertion, signed as well',
      'several-assertions',
      (() => {
        const second = swap(evil, ASSERTION, `${original}${evilAssertion}`);
        return idp.sign(second, idOf(evil, 'Assertion'));
      })(),
    ),
    forged(
      'has an assertion of another namespace besides',
      'several-assertions',
      swap(assertionSigned, '<samlp:Status>', '<x:Assertion xmlns:x="urn:x"/><samlp:Status>'),
    ),
    forged(
      'signs another element than the one it is in',
      'signature-reference',
      swap(plain, '</saml:Issuer>', `</saml:Issuer>${signature}`),
    ),
    forged(
      'signs the whole document by an empty reference',
      'signature-reference',
      swap(assertionSigned, /URI="#[^"]+"/, 'URI=""'),
    ),
    forged(
      'has its signature in the subject',
      'signature-misplaced',
      swap(swap(assertionSigned, signature, ''), '</saml:Subject>', `${signature}</saml:Subject>`),
    ),
    forged(
      'has two signatures in one element',
      'several-signatures',
      swap(assertionSigned, signature, `${signature}${signature}`),
    ),
    forged(
      'has two parts of signed information in one signature',
      'signature-shape',
      swap(
        assertionSigned,
        '<ds:SignatureValue>',
        `${partOf(signature, /<ds:SignedInfo>.*<\/ds:SignedInfo>/s)}<ds:SignatureValue>`,
      ),
    ),
    forged(
      'has a second method in KeyInfo',
      'signature-shape',
      swap(
        assertionSigned,
        '</ds:Signature>',
        `<ds:KeyInfo><ds:SignatureMethod Algorithm="${RSA_SHA256}"/></ds:KeyInfo></ds:Signature>`,
      ),
    ),
    forged(
      'has an object in its signature',
      'signature-shape',
      swap(assertionSigned, '</ds:Signature>', '<ds:Object/></ds:Signature>'),
    ),
    forged(
      'has a comment in the digest',
      'comment',
      swap(assertionSigned, '<ds:DigestValue>', '<ds:DigestValue><!--x-->'),
    ),
    forged(
      'has a comment in the NameID',
      'comment',
      signAssertion(swap(plain, 'ada-42', 'admin<!---->.ada-42')),
    ),
    forged(
      'has a CDATA section in the NameID',
      'comment',
      signAssertion(swap(plain, 'ada-42', '<![CDATA[ada]]>')),
    ),
    forged(
      'has a reference to a character that XML forbids in the NameID, signed as well',
      'not-utf8',
      signAssertion(swap(plain, 'ada-42', 'ada-42&#0;admin-1')).replaceAll('\u0000', '&#0;'),
    ),
    forged(
      'has the forbidden character itself in the NameID, signed as well',
      'not-utf8',
      signAssertion(swap(plain, 'ada-42', 'ada-42&#0;admin-1')),
    ),
    forged(
      'has an element in the NameID',
      'name-id',
      signAssertion(swap(plain, 'ada-42', 'ada<saml:x>-42</saml:x>')),
    ),
    forged(
      'has two NameIDs',
      'name-id',
      signAssertion(swap(plain, '</saml:NameID>', '</saml:NameID><saml:NameID>admin-1</saml:NameID>')),
    ),
    forged(
      'has the same id twice',
      'duplicate-id',
      swap(assertionSigned, '<samlp:Status>', `<samlp:Status ID="${idOf(plain, 'Assertion')}">`),
    ),
    forged(
      'has the same id in another spelling',
      'duplicate-id',
      swap(assertionSigned, '<samlp:Status>', `<samlp:Status Id="${idOf(plain, 'Assertion')}">`),
    ),
    forged(
      'has two ids on the assertion',
      'attribute',
      swap(assertionSigned, '<saml:Assertion ', '<saml:Assertion saml:ID="_x" '),
    ),
    forged(
      'has an assertion without an id',
      'no-id',
      swap(plain, /(<saml:Assertion )ID="[^"]+" /, '<saml:Assertion '),
    ),
    forged(
      'declares an entity',
      'doctype',
      `<!DOCTYPE r [<!ENTITY e "admin-1">]>${swap(assertionSigned, 'ada-42', '&e;')}`,
    ),
    forged(
      'has a processing instruction',
      'processing-instruction',
      `<?xml-stylesheet href="x"?>${assertionSigned}`,
    ),
    forged(
      'has a relative namespace, which some canonicalize to nothing',
      'namespace',
      swap(assertionSigned, '<samlp:Status>', '<samlp:Status xmlns:x="1">'),
    ),
    forged(
      'has an attribute that canonicalization leaves out',
      'namespace',
      swap(assertionSigned, '<saml:NameID ', '<saml:NameID xmlnsx="1" '),
    ),
    signedWith('transforms with XSLT', 'transform', {}),
    signedWith('is canonicalized with comments', 'transform', {
      canonicalization: `${EXCLUSIVE}WithComments`,
    }),
    signedWith('is transformed with comments', 'transform', {
      transforms: [ENVELOPED, `${EXCLUSIVE}WithComments`],
    }),
    signedWith('is canonicalized inclusively', 'transform', {
      transforms: [ENVELOPED, 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'],
    }),
    signedWith('is signed with SHA-1', 'algorithm', {
      signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    }),
    signedWith('has a digest of SHA-1', 'algorithm', {
      digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
    }),
    forged(
      'is signed with HMAC by the certificate',
      'algorithm',
      signWithHmac(assertionSigned, idp.certificate),
    ),
    wrong('is for another audience', 'audience', { audience: 'https://other.example/metadata' }),
    wrong('is sent to another destination', 'destination', { destination: 'https://other.example/acs' }),
    wrong('may be delivered to another recipient', 'recipient', { recipient: 'https://other.example/acs' }),
    wrong('has a response of another issuer', 'issuer', { responseIssuer: 'https://other.example' }),
    wrong('has an assertion of another issuer', 'issuer', { issuer: 'https://other.example' }),
    forged('answers no request', 'in-response-to', signAssertion(swap(plain, / InResponseTo="[^"]+">/, '>'))),
    forged(
      'has a confirmation that answers no request',
      'in-response-to',
      signAssertion(swap(plain, / InResponseTo="[^"]+"\/>/, '/>')),
    ),
    wrong('answers an unknown request', 'in-response-to', { inResponseTo: '_unknown' }),
    wrong('has a confirmation for another request', 'in-response-to', { subjectInResponseTo: '_unknown' }),
    wrong('is not valid yet', 'early', { notBefore: at(3_600) }),
    wrong('was issued in the future', 'early', { issueInstant: at(3_600) }),
    wrong('has expired', 'expired', { notOnOrAfter: at(-3_600) }),
    wrong('has a confirmation that has expired', 'expired', { confirmationEnds: at(-3_600) }),
    wrong('was issued long ago', 'expired', { issueInstant: at(-3_600) }),
    forged(
      'is valid for ever',
      'conditions',
      signAssertion(
        swap(plain, /(<saml:Conditions NotBefore="[^"]+") NotOnOrAfter="[^"]+"/, '<saml:Conditions'),
      ),
    ),
    forged(
      'is for everybody',
      'conditions',
      signAssertion(swap(plain, /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')),
    ),
    forged(
      'is confirmed by a key',
      'confirmation',
      signAssertion(swap(plain, 'SAML:2.0:cm:bearer', 'SAML:2.0:cm:holder-of-key')),
    ),
    wrong('names the user for this once', 'transient-name-id', {
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
    }),
    wrong('refuses', 'status', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }),
    forged(
      'refuses without an assertion',
      'status',
      swap(swap(plain, ASSERTION, ''), 'status:Success', 'status:Requester'),
    ),
    forged('has no assertion', 'no-assertion', signResponse(swap(plain, ASSERTION, ''))),
    forged(
      'is encrypted',
      'encrypted',
      swap(plain, ASSERTION, '<saml:EncryptedAssertion><x/></saml:EncryptedAssertion>'),
    ),
    forged(
      'is another message',
      'not-a-response',
      plain.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
    ),
    forged('is of SAML 1.1', 'not-a-response', swap(plain, 'Version="2.0"', 'Version="1.1"')),
    forged(
      'is a response of another namespace',
      'not-a-response',
      swap(
        plain,
        'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"',
        'xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol"',
      ),
    ),
    forged('is no XML', 'not-xml', 'Hello'),
    forged('is cut off', 'not-xml', assertionSigned.slice(0, -20)),
    forged('has text after its end', 'not-xml', `${assertionSigned}<x/>`),
    forged('is empty', 'not-base64', ''),
    { name: 'is no base64', reason: 'not-base64', form: '<samlp:Response/>' },
    {
      name: 'is in UTF-16',
      reason: 'not-utf8',
      form: Buffer.from(`\ufeff${plain}`, 'utf16le').toString('base64'),
    },
    {
      name: 'is a compressed bomb',
      reason: 'not-utf8',
      form: deflateRawSync(Buffer.alloc(50_000_000, 'a')).toString('base64'),
    },
    forged('is larger than 256 KB', 'too-large', swap(assertionSigned, 'ada-42', 'a'.repeat(260 * 1024))),
    forged('nests 10,000 elements', 'too-complex', `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`),
    forged(
      'has 20,000 attributes',
      'too-complex',
      `<a ${Array.from({ length: 20_000 }, (_, index) => `b${index}=""`).join(' ')}/>`,
    ),
    forged(
      'has a name space of its own prefix',
      'namespace',
      plain.replace('xmlns:saml=', 'xmlns:xmlx="urn:x" xmlns:saml='),
    ),
    forged(
      'wraps the whole response',
      'not-a-response',
      `<samlp:Wrapper ${named}>${responseSigned}</samlp:Wrapper>`,
    ),
  ].map((forgery) =>
    forgery.name === 'transforms with XSLT'
      ? {
          ...forgery,
          form: encode(
            swap(
              assertionSigned,
              `<ds:Transform Algorithm="${EXCLUSIVE}"/>`,
              '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"><x/></ds:Transform>',
            ),
          ),
        }
      : forgery,
  );
}

/** As if the public certificate were a shared secret. */
function signWithHmac(xml: string, certificate: string): string {
  const changed = xml.replace(RSA_SHA256, 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256');
  const info = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(changed)?.[0] ?? '';
  const mac = createHmac('sha256', certificate).update(info).digest('base64');
  return changed.replace(/(<ds:SignatureValue>)[^<]*/, `$1${mac}`);
}
