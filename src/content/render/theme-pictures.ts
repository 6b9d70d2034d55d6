import type { Element, Root } from 'hast';
import { splitSrcset } from '../parse/index.ts';
import { isElement, walkElements } from './hast-elements.ts';

/** What authors write in the condition of a source, and behind the address of a picture on GitHub. */
const SCHEME = /prefers-color-scheme:\s*(dark|light)/i;
const FRAGMENT = /#gh-(dark|light)-mode-only$/;

/**
 * Shows of the pictures for both themes the one for the theme that the reader chose: the conditions of `<picture>` know only
 * that of the system, and the addresses of GitHub none. Runs on a sanitised tree, before addresses are resolved.
 */
export function showPicturesByTheme(root: Root): void {
  walkElements(root, (element) => {
    if (element.tagName === 'picture') splitByTheme(element);
    else if (element.tagName === 'img') {
      const theme = FRAGMENT.exec(textOf(element.properties['src']))?.[1];
      if (theme !== undefined) element.properties['className'] = [`if-${theme}`];
    }
  });
}

function splitByTheme(picture: Element): void {
  const image = picture.children.find((child) => isElement(child) && child.tagName === 'img');
  if (image?.type !== 'element') return;
  const own = textOf(image.properties['src']);
  const sources = new Map<string, string>();
  for (const source of picture.children.filter(isElement)) {
    const theme = SCHEME.exec(textOf(source.properties['media']))?.[1]?.toLowerCase();
    const [address] = splitSrcset(textOf(source.properties['srcSet']));
    if (source.tagName === 'source' && theme !== undefined && address !== undefined && !sources.has(theme))
      sources.set(theme, address);
  }
  const [light = own, dark = own] = [sources.get('light'), sources.get('dark')];
  if (light === dark || light === '' || dark === '') return;
  const shown = (src: string, className: string): Element => ({
    ...image,
    properties: { ...image.properties, src, className: [className] },
  });
  picture.tagName = 'span';
  picture.properties = {};
  picture.children = [shown(light, 'if-light'), shown(dark, 'if-dark')];
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
}
