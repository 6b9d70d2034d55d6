import { createSign, randomBytes } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto';
import { createSigningKey, type SigningKey } from './certificate.ts';

/** What an answer says; every field can be made wrong. */
export interface Answer {
  readonly destination: string;
  readonly recipient: string;
  readonly audience: string;
  readonly issuer: string;
  readonly responseIssuer: string;
  readonly inResponseTo: string;
  readonly subjectInResponseTo: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
  readonly status: string;
  readonly issueInstant: Date;
  readonly notBefore: Date;
  readonly notOnOrAfter: Date;
  readonly confirmationEnds: Date;
  readonly responseId: string;
  readonly assertionId: string;
}

export interface Signing {
  readonly key?: SigningKey;
  readonly signatureAlgorithm?: string;
  readonly digestAlgorithm?: string;
  readonly canonicalization?: string;
  readonly transforms?: readonly string[];
  /** Put into KeyInfo. */
  readonly publicCert?: string;
}

export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** An identity provider that signs whatever it is told to. */
export function createIdentityProvider(entityId = 'https://idp.example/saml') {
  const key = createSigningKey();

  /** A whole answer to a request, before anything in it is signed. */
  function write(
    to: {
      readonly acsURL: string;
      readonly entityID: string;
      readonly requestId: string;
      readonly now: Date;
    },
    changes: Partial<Answer> = {},
  ): string {
    const at = (seconds: number) => new Date(to.now.getTime() + seconds * 1000);
    const answer: Answer = {
      destination: to.acsURL,
      recipient: to.acsURL,
      audience: to.entityID,
      issuer: entityId,
      responseIssuer: entityId,
      inResponseTo: to.requestId,
      subjectInResponseTo: to.requestId,
      nameId: 'ada-42',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes: { email: 'ada@corp.example', displayName: 'Ada Lovelace' },
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      issueInstant: to.now,
      notBefore: at(-30),
      notOnOrAfter: at(300),
      confirmationEnds: at(300),
      responseId: `_r${randomBytes(12).toString('hex')}`,
      assertionId: `_a${randomBytes(12).toString('hex')}`,
      ...changes,
    };
    return (
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${answer.responseId}" Version="2.0" IssueInstant="${answer.issueInstant.toISOString()}" Destination="${escapeXml(answer.destination)}" InResponseTo="${answer.inResponseTo}">` +
      `<saml:Issuer>${escapeXml(answer.responseIssuer)}</saml:Issuer>` +
      `<samlp:Status><samlp:StatusCode Value="${answer.status}"/></samlp:Status>` +
      `${writeAssertion(answer)}</samlp:Response>`
    );
  }

  /** Signs the element with this id, as its child after `Issuer`. */
  function sign(xml: string, id: string, signing: Signing = {}): string {
    const signer = new SignedXml({
      privateKey: (signing.key ?? key).privateKey,
      signatureAlgorithm: signing.signatureAlgorithm ?? RSA_SHA256,
      canonicalizationAlgorithm: signing.canonicalization ?? EXCLUSIVE,
      ...(signing.publicCert === undefined ? {} : { publicCert: signing.publicCert }),
    });
    signer.addReference({
      xpath: `//*[@ID='${id}']`,
      transforms: [...(signing.transforms ?? [ENVELOPED, EXCLUSIVE])],
      digestAlgorithm: signing.digestAlgorithm ?? SHA256,
    });
    signer.computeSignature(xml, {
      prefix: 'ds',
      location: { reference: `//*[@ID='${id}']/*[local-name(.)='Issuer']`, action: 'after' },
    });
    return signer.getSignedXml();
  }

  /** As Okta and Shibboleth sign: the library puts the list into the other transform, too. */
  function signInclusively(xml: string, id: string, prefixes: readonly string[]): string {
    const list = `<ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE}" PrefixList="${prefixes.join(' ')}"/>`;
    const listed = sign(xml, id).replace(
      `<ds:Transform Algorithm="${EXCLUSIVE}"/>`,
      `<ds:Transform Algorithm="${EXCLUSIVE}">${list}</ds:Transform>`,
    );
    const info = new DOMParser().parseFromString(listed, 'text/xml').getElementsByTagName('ds:SignedInfo')[0];
    const canonical = new ExclusiveCanonicalization().process(info as Element, {});
    const value = createSign('sha256').update(canonical).sign(key.privateKey, 'base64');
    return listed.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`);
  }

  return { entityId, certificate: key.certificate, key, write, sign, signInclusively };
}

export type TestIdentityProvider = ReturnType<typeof createIdentityProvider>;

export function encode(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

/** The id of the response, or of the assertion in it. */
export function idOf(xml: string, element: 'Response' | 'Assertion'): string {
  return new RegExp(`:${element} [^>]*?\\bID="([^"]+)"`).exec(xml)?.[1] ?? '';
}

function writeAssertion(answer: Answer): string {
  const attributes = Object.entries(answer.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escapeXml(name)}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return (
    `<saml:Assertion ID="${answer.assertionId}" Version="2.0" IssueInstant="${answer.issueInstant.toISOString()}">` +
    `<saml:Issuer>${escapeXml(answer.issuer)}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${answer.nameIdFormat}">${escapeXml(answer.nameId)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${answer.confirmationEnds.toISOString()}" Recipient="${escapeXml(answer.recipient)}" InResponseTo="${answer.subjectInResponseTo}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${answer.notBefore.toISOString()}" NotOnOrAfter="${answer.notOnOrAfter.toISOString()}"><saml:AudienceRestriction><saml:Audience>${escapeXml(answer.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${answer.issueInstant.toISOString()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
