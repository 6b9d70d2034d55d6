import { X509Certificate } from 'node:crypto';
import { storableText } from '../storable-text.ts';
import { SamlRefusal } from './refusal.ts';
import {
  attributeOf,
  childrenNamed,
  DSIG,
  decodeAnswer,
  parseXml,
  SAML,
  SAMLP,
  xmlElementsOf,
  xmlTextOf,
} from './xml.ts';

/** What an answer of an identity provider says, for somebody who sets it up: nothing in it was checked. */
export interface DescribedAnswer {
  /** The last part of the status codes, such as `Success`. */
  readonly status: string | null;
  readonly issuer: string | null;
  readonly nameId: string | null;
  readonly nameIdFormat: string | null;
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly destination: string | null;
  readonly recipient: string | null;
  readonly audiences: readonly string[];
  readonly inResponseTo: string | null;
  readonly issuedAt: string | null;
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
  readonly authenticatedAt: string | null;
  readonly signatures: readonly DescribedSignature[];
}

export interface DescribedSignature {
  /** The name of the element that it is in. */
  readonly of: string;
  /** The last part of the algorithm's name, such as `rsa-sha256`. */
  readonly method: string | null;
  readonly digest: string | null;
  /** SHA-256 of the certificate that came along, in hexadecimal with colons; null without one that can be read. */
  readonly fingerprint: string | null;
  /** Whether that certificate was entered for the provider. */
  readonly isKnown: boolean;
}

const MOST = { attributes: 100, values: 20, signatures: 10, audiences: 10 };
/** In characters, of one value. */
const LONGEST = 500;

/** Null for what is no XML that is read here. @param certificates those of the provider, in PEM */
export function describeAnswer(form: string, certificates: readonly string[]): DescribedAnswer | null {
  let elements: readonly Element[];
  try {
    elements = xmlElementsOf(parseXml(decodeAnswer(form)));
  } catch (error) {
    if (error instanceof SamlRefusal) return null;
    throw error;
  }
  const all = (namespace: string, name: string) =>
    elements.filter((element) => element.namespaceURI === namespace && element.localName === name);
  const first = (namespace: string, name: string) => all(namespace, name)[0];
  const response = first(SAMLP, 'Response');
  const conditions = first(SAML, 'Conditions');
  const nameId = first(SAML, 'NameID');
  const statuses = all(SAMLP, 'StatusCode').map((code) => lastPart(attributeOf(code, 'Value')));
  return {
    status: statuses.filter((status) => status !== null).join(', ') || null,
    issuer: textOf(first(SAML, 'Issuer')),
    nameId: textOf(nameId),
    nameIdFormat: cut(attributeOf(nameId, 'Format')),
    attributes: all(SAML, 'Attribute').slice(0, MOST.attributes).map(describeAttribute),
    destination: cut(attributeOf(response, 'Destination')),
    recipient: cut(attributeOf(first(SAML, 'SubjectConfirmationData'), 'Recipient')),
    audiences: all(SAML, 'Audience')
      .slice(0, MOST.audiences)
      .flatMap((audience) => textOf(audience) ?? []),
    inResponseTo: cut(attributeOf(response, 'InResponseTo')),
    issuedAt: cut(attributeOf(response, 'IssueInstant')),
    notBefore: cut(attributeOf(conditions, 'NotBefore')),
    notOnOrAfter: cut(attributeOf(conditions, 'NotOnOrAfter')),
    authenticatedAt: cut(attributeOf(first(SAML, 'AuthnStatement'), 'AuthnInstant')),
    signatures: all(DSIG, 'Signature')
      .slice(0, MOST.signatures)
      .map((signature) => describeSignature(signature, certificates)),
  };
}

function describeAttribute(attribute: Element) {
  return {
    name: cut(attributeOf(attribute, 'Name')) ?? '',
    values: childrenNamed(attribute, SAML, 'AttributeValue')
      .slice(0, MOST.values)
      .flatMap((value) => textOf(value) ?? []),
  };
}

function describeSignature(signature: Element, certificates: readonly string[]): DescribedSignature {
  const within = (name: string) =>
    xmlElementsOf(signature).find((element) => element.namespaceURI === DSIG && element.localName === name);
  const fingerprint = fingerprintOf(xmlTextOf(within('X509Certificate')));
  return {
    of: cut((signature.parentNode as Element | null)?.localName ?? null) ?? '',
    method: lastPart(attributeOf(within('SignatureMethod'), 'Algorithm')),
    digest: lastPart(attributeOf(within('DigestMethod'), 'Algorithm')),
    fingerprint,
    isKnown: fingerprint !== null && certificates.some((pem) => certificateFingerprint(pem) === fingerprint),
  };
}

/** SHA-256 of a certificate in PEM, in hexadecimal with colons, as providers show it. Throws for any other text. */
export function certificateFingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

function fingerprintOf(base64: string | null): string | null {
  try {
    return base64 === null ? null : new X509Certificate(Buffer.from(base64, 'base64')).fingerprint256;
  } catch {
    return null;
  }
}

function textOf(element: Element | undefined): string | null {
  return cut(xmlTextOf(element));
}

/** `Success` of `urn:oasis:names:tc:SAML:2.0:status:Success`, `rsa-sha256` of its address. */
function lastPart(name: string | null): string | null {
  return cut(name?.replace(/^.*[:#]/s, '') ?? null);
}

function cut(text: string | null): string | null {
  return text === null ? null : storableText(text.slice(0, LONGEST));
}
