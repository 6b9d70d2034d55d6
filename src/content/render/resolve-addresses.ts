import type { Element, ElementContent, Parents, Root } from 'hast';
import { namesSchemeOrHost } from '../links/index.ts';
import { toFragment } from './assign-ids.ts';
import { hasClass, textOf, walkElements } from './hast-elements.ts';

export interface AddressOptions {
  /**
   * Returns the address of a link's target, which is as written (percent-encoded); null when it leads nowhere, which is
   * shown to readers, undefined when unknown, which leaves only the text. Of a fragment of the page itself only null
   * counts. Not called for targets with a scheme. Links are not changed when absent.
   */
  readonly resolveLink?: (target: string) => string | null | undefined;
  /** The same for a target with a scheme or a host; undefined leaves it as written. */
  readonly resolveWholeAddress?: (target: string) => string | undefined;
  /** The same for images, called for each of them. An image without an address is replaced with its alternative text. */
  readonly resolveImage?: (target: string) => string | null;
  /** The size of an image in pixels, by its target as written, so that browsers keep its place; null when unknown. */
  readonly sizeOfImage?: (target: string) => ImageSize | null;
  /** The title of the page that a link leads to, by its target as written; null when unknown. */
  readonly titleOfLink?: (target: string) => string | null;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Points links and images to the addresses at which they are served. Runs on a sanitised tree. */
export function resolveAddresses(root: Root, options: AddressOptions): void {
  const replaced = new Set<ElementContent>();
  const parents = new Set<Parents>();
  const replace = (element: Element, parent: Parents) => {
    replaced.add(element);
    parents.add(parent);
  };
  walkElements(root, (element, parent) => {
    if (hasClass(element, 'content-ref') || hasClass(element, 'card-part')) nameReference(element, options);
    if (element.tagName === 'a') resolveLink(element, options);
    if (element.tagName === 'img' && resolveImage(element, options) === null) replace(element, parent);
    if (element.tagName === 'source') replace(element, parent);
  });
  const links = new Set<Parents>();
  walkElements(root, (element, parent) => {
    if ((element.tagName === 'a' && element.properties['href']) || links.has(parent)) links.add(element);
  });
  for (const parent of parents) {
    parent.children = (parent.children as ElementContent[]).flatMap((child) => {
      if (child.type !== 'element' || !replaced.has(child)) return [child];
      return child.tagName === 'img' ? alternativeTo(child, links.has(parent)) : [];
    });
  }
}

/** Links of a reference or a card whose author only wrote the path of a page have its title. */
function nameReference(reference: Element, { titleOfLink }: AddressOptions): void {
  walkElements({ type: 'root', children: [reference] }, (link) => {
    const { href } = link.properties;
    if (link.tagName !== 'a' || typeof href !== 'string' || !isPath(textOf(link), href)) return;
    const title = titleOfLink?.(href);
    if (title) link.children = [{ type: 'text', value: title }];
  });
}

function isPath(words: string, href: string): boolean {
  const path = words.trim();
  if (path === '' || /\s/.test(path)) return false;
  const target = decode(href).replace(/\/(?:README\.md)?$/i, '');
  return /\.mdx?$/i.test(path) || `/${target}`.endsWith(`/${path.replace(/\/$/, '')}`);
}

function resolveLink(element: Element, options: AddressOptions): void {
  const { href } = element.properties;
  if (typeof href !== 'string') return;
  if (href.startsWith('#')) {
    if (options.resolveLink?.(href) === null) markBroken(element, href);
    else element.properties['href'] = toFragment(decode(href.slice(1)));
    return;
  }
  // The tree is sanitised, so a scheme is one of the allowed ones; `//host` has the page's own.
  if (namesSchemeOrHost(href)) {
    element.properties['href'] = options.resolveWholeAddress?.(href) ?? href;
    return;
  }
  if (options.resolveLink === undefined) return;
  const resolved = options.resolveLink(href);
  if (typeof resolved === 'string') {
    element.properties['href'] = resolved;
    return;
  }
  if (resolved === null) {
    markBroken(element, href);
    return;
  }
  element.tagName = 'span';
  element.properties = {};
}

function markBroken(element: Element, href: string): void {
  element.tagName = 'span';
  element.properties = { className: ['broken-link'], title: `This link leads nowhere: ${href}` };
}

/** Returns null when the image cannot be shown. */
function resolveImage(element: Element, options: AddressOptions): string | null {
  const { src } = element.properties;
  // `resolveImage` decides what is shown; a list of other sources would bypass it.
  delete element.properties['srcSet'];
  delete element.properties['longDesc'];
  if (typeof src !== 'string' || src === '') return null;
  const resolved = options.resolveImage ? options.resolveImage(src) : src;
  if (resolved === null) return null;
  element.properties['src'] = resolved;
  element.properties['loading'] = 'lazy';
  setSize(element, options.sizeOfImage?.(src) ?? null);
  return resolved;
}

/** Completes the width and the height that an image has: browsers know its proportions only from both. */
function setSize({ properties }: Element, size: ImageSize | null): void {
  if (size === null) return;
  const written = [properties['width'], properties['height']].map((value) => {
    if (value === undefined || value === null || value === '') return undefined;
    const pixels = /^(\d{1,5})(?:px)?$/.exec(String(value))?.[1];
    return pixels === undefined ? null : Number(pixels);
  });
  const [width, height] = written;
  // A share of the page's width says nothing of the height.
  if (width === null || height === null || (width !== undefined && height !== undefined)) return;
  const scale = width !== undefined ? width / size.width : height !== undefined ? height / size.height : 1;
  properties['width'] = width ?? Math.round(size.width * scale);
  properties['height'] = height ?? Math.round(size.height * scale);
}

/** What replaces an image that is not shown: its alternative text, with a link to an image on another site. */
function alternativeTo(element: Element, insideLink: boolean): ElementContent[] {
  const { alt, src } = element.properties;
  const isOutside = typeof src === 'string' && /^https?:/i.test(src);
  const label = typeof alt === 'string' && alt.trim() !== '' ? alt : isOutside ? 'picture' : '';
  if (label === '') return [];
  const text: ElementContent = { type: 'text', value: label };
  if (isOutside && !insideLink) {
    return [
      { type: 'element', tagName: 'a', properties: { href: src, className: ['left-out'] }, children: [text] },
    ];
  }
  return [{ type: 'element', tagName: 'span', properties: { className: ['left-out'] }, children: [text] }];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
