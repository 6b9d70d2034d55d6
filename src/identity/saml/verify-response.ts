import { SAML as Library, ValidateInResponseTo } from '@node-saml/node-saml';
import { REQUEST_MS } from '../providers/request-lifetime.ts';
import { readResponse, type SamlResponse } from './read-response.ts';
import { SamlRefusal } from './refusal.ts';
import { type SamlProviderSettings, serviceOf } from './service.ts';
import { attributeOf, childrenNamed, isNamed, parseXml, SAML, xmlTextOf } from './xml.ts';

/** What an identity provider says about a user, signed by it and meant for us. */
export interface SamlUser {
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  readonly assertionId: string;
  /** Until then the assertion must not sign in a second time. */
  readonly expiresAt: Date;
  /** By their names, in their order. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

/** How far the clocks of two servers may differ, in milliseconds. */
const SKEW_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/**
 * Checks an answer against the request that it must answer: its shape, every signature that it has against the provider's
 * own certificates, and for whom, for how long and in answer to what it was made. What it returns was read from the signed
 * text alone.
 *
 * @throws SamlRefusal with the first reason against it
 */
export async function verifyResponse(
  form: string,
  expected: {
    readonly provider: SamlProviderSettings;
    readonly publicUrl: string;
    readonly requestId: string;
    readonly now: Date;
  },
): Promise<SamlUser> {
  const { provider, publicUrl, requestId, now } = expected;
  const service = serviceOf(publicUrl, provider.id);
  const read = readResponse(form);
  const { response, isResponseSigned } = read;
  if (attributeOf(response, 'Destination') !== service.acsURL) throw new SamlRefusal('destination');
  if (attributeOf(response, 'InResponseTo') !== requestId) throw new SamlRefusal('in-response-to');
  const issuers = childrenNamed(response, SAML, 'Issuer');
  // Optional where the response itself is not signed.
  if (issuers.length > 1 || (isResponseSigned && issuers.length === 0)) throw new SamlRefusal('issuer');
  for (const issuer of issuers) if (xmlTextOf(issuer) !== provider.entityId) throw new SamlRefusal('issuer');

  const { document, nameId } = await signedAssertion(read, expected);
  const assertion = document.documentElement;
  const found = readAssertion(assertion, { provider, service, requestId, now });
  // Read by another parser: one of the two was deceived.
  if (found.nameId !== nameId.trim()) throw new SamlRefusal('name-id');
  return found;
}

/** The assertion as it was signed, from the library, which returns the canonical text of what a signature covers. */
async function signedAssertion(
  read: SamlResponse,
  expected: {
    readonly provider: SamlProviderSettings;
    readonly publicUrl: string;
    readonly requestId: string;
  },
): Promise<{ readonly document: Document; readonly nameId: string }> {
  const { provider, publicUrl, requestId } = expected;
  const service = serviceOf(publicUrl, provider.id);
  const library = new Library({
    callbackUrl: service.acsURL,
    issuer: service.entityID,
    audience: service.entityID,
    idpCert: [...provider.certificates],
    idpIssuer: provider.entityId,
    // Every signature that is there must be right.
    wantAuthnResponseSigned: read.isResponseSigned,
    wantAssertionsSigned: read.isAssertionSigned,
    // Times are checked below, by the caller's clock.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: Number.MAX_SAFE_INTEGER,
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
  const fail = (cause?: unknown): never => {
    throw new SamlRefusal(reasonOf(cause), { cause });
  };
  const { profile } = await library
    .validatePostResponseAsync({ SAMLResponse: Buffer.from(read.xml).toString('base64') })
    .catch(fail);
  const text = profile?.getAssertionXml?.();
  if (text === undefined) return fail();
  const document = parseXml(text);
  const assertion = document.documentElement;
  if (
    !isNamed(assertion, SAML, 'Assertion') ||
    attributeOf(assertion, 'ID') !== attributeOf(read.assertion, 'ID')
  )
    return fail();
  return { document, nameId: typeof profile?.nameID === 'string' ? profile.nameID : '' };
}

/** The library's own refusals beside signatures are repeated below; this tells them apart where it refuses first. */
function reasonOf(error: unknown) {
  const message = error instanceof Error ? error.message : '';
  if (/audience mismatch/i.test(message)) return 'audience';
  if (/InResponseTo/i.test(message)) return 'in-response-to';
  if (/subject confirmation/i.test(message)) return 'confirmation';
  if (/NotOnOrAfter|NotBefore|IssueInstant|conditions|AudienceRestriction/i.test(message))
    return 'conditions';
  return 'signature-invalid';
}

interface Expected {
  readonly provider: SamlProviderSettings;
  readonly service: { readonly acsURL: string; readonly entityID: string };
  readonly requestId: string;
  readonly now: Date;
}

function readAssertion(assertion: Element, expected: Expected): SamlUser {
  const { provider, now } = expected;
  const issuers = childrenNamed(assertion, SAML, 'Issuer');
  if (issuers.length !== 1 || xmlTextOf(issuers[0]) !== provider.entityId) throw new SamlRefusal('issuer');
  const issued = momentOf(attributeOf(assertion, 'IssueInstant'));
  if (issued === null) throw new SamlRefusal('conditions');
  if (issued > now.getTime() + SKEW_MS) throw new SamlRefusal('early');
  if (issued < now.getTime() - REQUEST_MS - SKEW_MS) throw new SamlRefusal('expired');

  const [subject, ...subjects] = childrenNamed(assertion, SAML, 'Subject');
  const nameIds = subject === undefined ? [] : childrenNamed(subject, SAML, 'NameID');
  const nameId = xmlTextOf(nameIds[0]);
  if (subject === undefined || subjects.length > 0 || nameIds.length !== 1 || nameId === null)
    throw new SamlRefusal('name-id');
  if (nameId.length > 512) throw new SamlRefusal('name-id');
  const nameIdFormat = attributeOf(nameIds[0], 'Format');
  if (nameIdFormat === TRANSIENT) throw new SamlRefusal('transient-name-id');

  const confirmed = checkConfirmation(subject, expected);
  const ends = checkConditions(assertion, expected);
  if (childrenNamed(assertion, SAML, 'AuthnStatement').length === 0) throw new SamlRefusal('conditions');
  return {
    nameId,
    nameIdFormat,
    assertionId: attributeOf(assertion, 'ID') ?? '',
    // Its request is over long before, however far in the future the provider puts its end.
    expiresAt: new Date(Math.min(Math.max(confirmed, ends) + SKEW_MS, now.getTime() + DAY_MS)),
    attributes: readAttributes(assertion),
  };
}

/** The end of a confirmation that holds now; the reason against the last one when none does. */
function checkConfirmation(subject: Element, { service, requestId, now }: Expected): number {
  let refusal = new SamlRefusal('confirmation');
  for (const confirmation of childrenNamed(subject, SAML, 'SubjectConfirmation')) {
    const [data, ...others] = childrenNamed(confirmation, SAML, 'SubjectConfirmationData');
    const ends = momentOf(attributeOf(data, 'NotOnOrAfter'));
    if (attributeOf(confirmation, 'Method') !== BEARER || others.length > 0 || ends === null) continue;
    if (attributeOf(data, 'Recipient') !== service.acsURL) refusal = new SamlRefusal('recipient');
    else if (attributeOf(data, 'InResponseTo') !== requestId) refusal = new SamlRefusal('in-response-to');
    else if (ends + SKEW_MS <= now.getTime()) refusal = new SamlRefusal('expired');
    else if (isTooEarly(data, now)) refusal = new SamlRefusal('early');
    else return ends;
  }
  throw refusal;
}

function checkConditions(assertion: Element, { service, now }: Expected): number {
  const [conditions, ...others] = childrenNamed(assertion, SAML, 'Conditions');
  const ends = momentOf(attributeOf(conditions, 'NotOnOrAfter'));
  if (conditions === undefined || others.length > 0 || ends === null) throw new SamlRefusal('conditions');
  if (isTooEarly(conditions, now)) throw new SamlRefusal('early');
  if (ends + SKEW_MS <= now.getTime()) throw new SamlRefusal('expired');
  const restrictions = childrenNamed(conditions, SAML, 'AudienceRestriction');
  if (restrictions.length === 0) throw new SamlRefusal('conditions');
  for (const restriction of restrictions) {
    const audiences = childrenNamed(restriction, SAML, 'Audience').map(xmlTextOf);
    if (!audiences.includes(service.entityID)) throw new SamlRefusal('audience');
  }
  return ends;
}

/** Also for a begin that is no time. */
function isTooEarly(element: Element | undefined, now: Date): boolean {
  const text = attributeOf(element, 'NotBefore');
  if (text === null) return false;
  const begins = momentOf(text);
  return begins === null || begins > now.getTime() + SKEW_MS;
}

/** Milliseconds since 1970 of an `xs:dateTime` in UTC, as SAML demands; null for any other text. */
function momentOf(text: string | null): number | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

function readAttributes(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const statement of childrenNamed(assertion, SAML, 'AttributeStatement')) {
    for (const attribute of childrenNamed(statement, SAML, 'Attribute')) {
      const values = childrenNamed(attribute, SAML, 'AttributeValue').flatMap(
        (value) => xmlTextOf(value) ?? [],
      );
      const name = attributeOf(attribute, 'Name') ?? '';
      found.set(name, [...(found.get(name) ?? []), ...values]);
    }
  }
  return found;
}
