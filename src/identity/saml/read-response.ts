import { storableText } from '../storable-text.ts';
import { SamlRefusal } from './refusal.ts';
import {
  attributeOf,
  childrenNamed,
  DSIG,
  decodeAnswer,
  isNamed,
  parseXml,
  SAML,
  SAMLP,
  xmlChildrenOf,
  xmlElementsOf,
  xmlTextOf,
} from './xml.ts';

/** An answer of an identity provider that has the only shape in which signatures are checked. */
export interface SamlResponse {
  /** The text that was read; nothing else may be given to the library. */
  readonly xml: string;
  readonly response: Element;
  readonly assertion: Element;
  readonly isResponseSigned: boolean;
  readonly isAssertionSigned: boolean;
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const SIGNATURE_METHODS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);
const DIGEST_METHODS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/**
 * Reads `SAMLResponse` as a form sends it (SAML 2.0 bindings, 3.5) and refuses every shape that was ever used to get past a
 * check of signatures. No signature is checked here, so nothing that it returns is trusted yet.
 */
export function readResponse(form: string): SamlResponse {
  const xml = decodeAnswer(form);
  const document = parseXml(xml);
  const elements = xmlElementsOf(document);
  refuseAmbiguousNames(elements);

  const response = document.documentElement;
  if (!isNamed(response, SAMLP, 'Response') || attributeOf(response, 'Version') !== '2.0')
    throw new SamlRefusal('not-a-response');
  if (elements.filter(({ localName }) => localName === 'Response').length > 1)
    throw new SamlRefusal('not-a-response');
  requireSuccess(response);

  const assertion = onlyAssertion(elements, response);
  requireIds(elements, [response, assertion]);
  const signatures = elements.filter(({ localName }) => localName === 'Signature');
  const signed = new Set<Element>();
  for (const signature of signatures) {
    const parent = signature.parentNode;
    if (parent !== response && parent !== assertion) throw new SamlRefusal('signature-misplaced');
    if (signed.has(parent as Element)) throw new SamlRefusal('several-signatures');
    signed.add(parent as Element);
    checkSignature(signature, parent as Element);
  }
  if (signed.size === 0) throw new SamlRefusal('unsigned');
  return {
    xml,
    response,
    assertion,
    isResponseSigned: signed.has(response),
    isAssertionSigned: signed.has(assertion),
  };
}

/** Refuses names that programs read differently: relative namespaces, prefixes that move, attributes alike but for a prefix. */
function refuseAmbiguousNames(elements: readonly Element[]): void {
  for (const element of elements) {
    const names = new Set<string>();
    for (const { name, value } of Array.from(element.attributes)) {
      if (name.startsWith('xmlns')) {
        const isDeclaration = name === 'xmlns' || /^xmlns:(?!xml)/.test(name);
        if (!isDeclaration || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(value)) throw new SamlRefusal('namespace');
        continue;
      }
      const local = name.replace(/^.*:/, '').toLowerCase();
      if (names.has(local)) throw new SamlRefusal('attribute');
      names.add(local);
    }
  }
}

/** Also of an unsigned response: it only ever refuses. */
function requireSuccess(response: Element): void {
  const statuses = childrenNamed(response, SAMLP, 'Status');
  const codes = statuses.flatMap((status) => childrenNamed(status, SAMLP, 'StatusCode'));
  const values = [codes[0], ...codes.flatMap((code) => childrenNamed(code, SAMLP, 'StatusCode'))].map(
    (code) => attributeOf(code, 'Value') ?? 'no status',
  );
  if (statuses.length === 1 && codes.length === 1 && values[0] === SUCCESS) return;
  const message = xmlTextOf(statuses.flatMap((status) => childrenNamed(status, SAMLP, 'StatusMessage'))[0]);
  const detail = [
    ...values.map((value) => value.replace(/^.*:/, '')),
    ...(message === null ? [] : [message]),
  ];
  throw new SamlRefusal('status', { detail: storableText(detail.join(': ').slice(0, 200)) });
}

function onlyAssertion(elements: readonly Element[], response: Element): Element {
  if (elements.some(({ localName }) => localName.startsWith('Encrypted'))) throw new SamlRefusal('encrypted');
  const [assertion, ...others] = elements.filter(({ localName }) => localName === 'Assertion');
  if (assertion === undefined) throw new SamlRefusal('no-assertion');
  if (others.length > 0 || assertion.parentNode !== response || !isNamed(assertion, SAML, 'Assertion'))
    throw new SamlRefusal('several-assertions');
  return assertion;
}

/** Every attribute that any program could take for an id must be unique, and the signed elements must have one. */
function requireIds(elements: readonly Element[], signable: readonly Element[]): void {
  const ids = new Set<string>();
  for (const element of elements) {
    for (const { name, value } of Array.from(element.attributes)) {
      if (name.replace(/^.*:/, '').toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw new SamlRefusal('duplicate-id');
      ids.add(value);
    }
  }
  for (const element of signable) {
    if (!/^[A-Za-z_][\w.-]{0,255}$/.test(attributeOf(element, 'ID') ?? '')) throw new SamlRefusal('no-id');
  }
}

/** Exactly the parts of a signature that SAML allows (SAML 2.0 core, 5.4), once each and in their order. */
function checkSignature(signature: Element, parent: Element): void {
  const [info, value, keyInfo, ...rest] = xmlChildrenOf(signature);
  requireName(signature, 'Signature');
  requireName(info, 'SignedInfo');
  requireName(value, 'SignatureValue');
  if (keyInfo !== undefined) requireName(keyInfo, 'KeyInfo');
  if (rest.length > 0 || xmlTextOf(value) === null) throw new SamlRefusal('signature-shape');
  // The library looks for some of these anywhere in a signature.
  const parts = xmlElementsOf(signature).map(({ localName }) => localName);
  for (const name of [
    'SignedInfo',
    'CanonicalizationMethod',
    'SignatureMethod',
    'SignatureValue',
    'Reference',
  ])
    if (parts.filter((part) => part === name).length !== 1) throw new SamlRefusal('signature-shape');

  const [canonicalization, method, reference, ...others] = xmlChildrenOf(info as Element);
  requireName(canonicalization, 'CanonicalizationMethod');
  requireName(method, 'SignatureMethod');
  requireName(reference, 'Reference');
  if (others.length > 0) throw new SamlRefusal('signature-shape');
  if (algorithmOf(canonicalization) !== EXCLUSIVE) throw new SamlRefusal('transform');
  if (!SIGNATURE_METHODS.has(algorithmOf(method))) throw new SamlRefusal('algorithm');
  requireNoParts(method);
  checkReference(reference as Element, parent);
}

function checkReference(reference: Element, parent: Element): void {
  if (attributeOf(reference, 'URI') !== `#${attributeOf(parent, 'ID')}`)
    throw new SamlRefusal('signature-reference');
  const [transforms, method, value, ...rest] = xmlChildrenOf(reference);
  requireName(transforms, 'Transforms');
  requireName(method, 'DigestMethod');
  requireName(value, 'DigestValue');
  if (rest.length > 0 || xmlTextOf(value) === null) throw new SamlRefusal('signature-shape');
  if (!DIGEST_METHODS.has(algorithmOf(method))) throw new SamlRefusal('algorithm');
  requireNoParts(method);
  const [enveloped, exclusive, ...further] = xmlChildrenOf(transforms as Element);
  if (algorithmOf(enveloped) !== ENVELOPED || algorithmOf(exclusive) !== EXCLUSIVE || further.length > 0)
    throw new SamlRefusal('transform');
  requireName(enveloped, 'Transform');
  requireName(exclusive, 'Transform');
  requireNoParts(enveloped);
  for (const list of xmlChildrenOf(exclusive as Element)) {
    const prefixes = attributeOf(list, 'PrefixList') ?? '';
    if (!isNamed(list, EXCLUSIVE, 'InclusiveNamespaces') || !/^[\w#. -]{0,200}$/.test(prefixes))
      throw new SamlRefusal('transform');
  }
}

function algorithmOf(element: Element | undefined): string {
  return attributeOf(element, 'Algorithm') ?? '';
}

function requireName(element: Element | undefined, name: string): void {
  if (element === undefined || !isNamed(element, DSIG, name)) throw new SamlRefusal('signature-shape');
}

/** Parameters of algorithms, such as XPath and the truncated length of a MAC. */
function requireNoParts(element: Element | undefined): void {
  if (element !== undefined && xmlChildrenOf(element).length > 0) throw new SamlRefusal('signature-shape');
}
