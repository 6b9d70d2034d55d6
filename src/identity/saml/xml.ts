import { DOMParser } from '@xmldom/xmldom';
import { SamlRefusal } from './refusal.ts';

export const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const SAMLP = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** Of an answer, in bytes. */
const MOST_BYTES = 256 * 1024;

/** Real answers have about 60 elements, 10 levels and 150 attributes, also with a hundred groups. */
const MOST = { tags: 4_000, depth: 40, attributes: 4_000, namespaces: 400 };

/** The text of an answer, from the form's field that has it in base64 (SAML 2.0 bindings, 3.5). */
export function decodeAnswer(form: string): string {
  // Each 4 characters are 3 bytes; some providers break lines.
  if (form.length > MOST_BYTES * 1.5) throw new SamlRefusal('too-large');
  const base64 = form.replace(/[\r\n\t ]+/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlRefusal('not-base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MOST_BYTES) throw new SamlRefusal('too-large');
  try {
    // As XML's own rules for ends of lines have it, and the library too.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch (cause) {
    throw new SamlRefusal('not-utf8', { cause });
  }
}

/**
 * Parses with the parser with which the signature is checked, so that no two parsers differ, and refuses whatever that one
 * only warns about. Its time grows with the square of depth and namespaces, so both are bounded before.
 */
export function parseXml(xml: string): Document {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 allows no others.
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(xml)) throw new SamlRefusal('not-utf8');
  if (/<!doctype|<!entity/i.test(xml)) throw new SamlRefusal('doctype');
  const declaration =
    /^<\?xml version="1\.0"(?: encoding="utf-8")?(?: standalone="(?:yes|no)")? ?\?>\s*/i.exec(
      xml.replaceAll("'", '"'),
    );
  const body = xml.slice(declaration?.[0].length ?? 0);
  if (body.includes('<?')) throw new SamlRefusal('processing-instruction');
  if (body.includes('<!')) throw new SamlRefusal('comment');
  boundComplexity(body);
  try {
    const document = new DOMParser({
      locator: {},
      errorHandler: (level: string, message: string) => {
        throw new Error(`${level}: ${message}`);
      },
    }).parseFromString(body, 'text/xml');
    if (document?.documentElement) return document;
  } catch (cause) {
    throw new SamlRefusal('not-xml', { cause });
  }
  throw new SamlRefusal('not-xml');
}

function boundComplexity(xml: string): void {
  let depth = 0;
  let tags = 0;
  for (const [, closes] of xml.matchAll(/<(\/?)|\/>/g)) {
    // An opening tag enters, and both a closing tag and the end of an empty one leave.
    if (closes === '') {
      depth++;
      tags++;
    } else depth--;
    if (depth > MOST.depth || tags > MOST.tags) throw new SamlRefusal('too-complex');
  }
  const most = (pattern: RegExp, limit: number) => {
    let count = 0;
    for (const _ of xml.matchAll(pattern)) if (++count > limit) throw new SamlRefusal('too-complex');
  };
  most(/=\s*["']/g, MOST.attributes);
  most(/xmlns/g, MOST.namespaces);
}

/** All elements of a document, or below an element and that element itself, in their order. */
export function xmlElementsOf(root: Document | Element): Element[] {
  const found: Element[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isElement(node)) found.push(node);
    for (let child = node.lastChild; child !== null; child = child.previousSibling) waiting.push(child);
  }
  return found;
}

export function xmlChildrenOf(element: Element): Element[] {
  return Array.from(element.childNodes).filter(isElement);
}

/** The children of an element with this name. */
export function childrenNamed(element: Element, namespace: string, name: string): Element[] {
  return xmlChildrenOf(element).filter((child) => isNamed(child, namespace, name));
}

export function isNamed(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** The text of an element that has no elements; null for any other. */
export function xmlTextOf(element: Element | undefined): string | null {
  if (element === undefined || xmlChildrenOf(element).length > 0) return null;
  return element.textContent?.trim() || null;
}

/** The value of an attribute without a namespace; null when absent. */
export function attributeOf(element: Element | undefined, name: string): string | null {
  return element?.hasAttribute(name) ? element.getAttribute(name) : null;
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}
